#pragma once

#include <array>

#include "phy/mode.h"

namespace wccl::link {

/// How well a receiver sees a screen, as its acknowledgements say.
struct ViewQuality {
  phy::ModeId mode = 0;            ///< In which the figures were measured.
  std::array<double, 3> snr_db{};  ///< Per channel; luma fills the first.
  double cell_px = 0;              ///< Cell of that mode in camera pixels.
};

struct Margin {
  double db = 0;    ///< What the weakest layer has to spare.
  int channel = 0;  ///< Whose layer that is.
};

/// A view, whatever the mode in which it was measured.
struct Sight {
  double scale = 0;      ///< Camera pixels of a panel pixel.
  double better_db = 0;  ///< Than cells of this size in camera pixels usually have.
  phy::Colouring colouring = phy::Colouring::kLuma;  ///< Of the cells that were seen.
};

/// @param mode  In which the view was measured.
[[nodiscard]] Sight sight_of(const ViewQuality& view, const phy::Mode& mode);

/// What a mode would have to spare in one clean capture.
///
/// Green's SNR over the cell's size in camera pixels was the same curve within a dB in face_1080p,
/// side_view and dim; the other layers keep their distance from green. Red and blue are not judged
/// by what they showed, because a receiver that does not need cancellation in a mode does not tell
/// what it would bring in another. Of colour a view of luma tells the cells' size and hardly more.
[[nodiscard]] Margin predict_margin(const Sight& sight, const phy::Mode& to);
/// The same from a view in one mode.
[[nodiscard]] Margin predict_margin(const ViewQuality& view,
                                    const phy::Mode& from,
                                    const phy::Mode& to);

}  // namespace wccl::link
