#pragma once

#include <array>

#include "base/image.h"
#include "phy/layout.h"
#include "phy/screen_geometry.h"

namespace wccl::phy {

/// Mean Y, Cb, Cr of a capture at the pilots that are dark, and bright, in every channel: a
/// screen's black and white in the present light.
[[nodiscard]] std::array<std::array<double, 3>, 2> measure_cell_levels(
    const YuvView& capture, const Layout& layout, const ScreenGeometry& geometry);

}  // namespace wccl::phy
