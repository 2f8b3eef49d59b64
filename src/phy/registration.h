#pragma once

#include <array>

#include "base/bits.h"
#include "base/image.h"
#include "phy/cell_sampler.h"
#include "phy/header_reader.h"
#include "phy/layout.h"
#include "phy/screen_geometry.h"

namespace wccl::phy {

/// Brightness of the header's cells and side bars times what they should be, as this geometry sees
/// them: the better it is, the more.
/// @param bits  encode_header's of this header.
[[nodiscard]] double match_border(const PlaneView& luma,
                                  const FrameHeader& header,
                                  const BitVector& bits,
                                  const ScreenGeometry& geometry);

/// The lens's distortion for which the known cells of the header strips and the side bars stand out
/// most: the finders fix the corners, so it shows in how far the edges bow.
[[nodiscard]] double estimate_lens_k(const PlaneView& luma,
                                     const FrameHeader& header,
                                     const std::array<Point, 4>& finders,
                                     double first_guess);

/// How far the pilots are from where the geometry says, and how sure that is.
struct PilotFit {
  ResidualField change;  ///< To be added to the residual field.
  double rms_px = 0;     ///< Of that change over the screen.
  bool locked = false;   ///< The pilots are there, to within half a cell: no chance explains it.
};

/// Correlates the pilots' luma with the samples around them, in patches, and fits a smooth field
/// through the patches' peaks. Sees shifts of up to a cell.
[[nodiscard]] PilotFit fit_pilots(const Layout& layout,
                                  const CellSamples& samples,
                                  const ScreenGeometry& geometry);

/// The geometry with a part of the change taken in.
[[nodiscard]] ScreenGeometry corrected(const ScreenGeometry& geometry,
                                       const PilotFit& fit,
                                       double share);

}  // namespace wccl::phy
