#pragma once

#include <array>

#include "base/image.h"
#include "phy/header_reader.h"
#include "phy/homography.h"
#include "phy/screen_geometry.h"

namespace wccl::phy {

// What a capture tells of a panel before its header is read, between finders in corner order.

/// Size of the panel in modules, measured on the finders themselves.
/// @param projection  Of the unit square onto the finders' centres as a lens without distortion
///                    would show them.
/// @param module_px   Of each finder; 0 for one that is hidden.
[[nodiscard]] PanelModules measure_panel(const PlaneView& luma,
                                         const Homography& projection,
                                         const Lens& lens,
                                         const std::array<double, 4>& module_px);

/// White border and dark sync column, side by side along one side of the panel.
struct SideBar {
  int points = 0;       ///< That lie in the picture.
  int hits = 0;         ///< Those at which the border is clearly brighter than the column.
  double contrast = 0;  ///< Mean difference, of that between ring and core of the finder.
};

/// Looks for a side bar: a cheap test that hardly any false quad passes, nor a true one that is
/// turned by a quarter, or seen through another lens.
/// @param side    0 left, 1 right.
/// @param corner  A finder in sight: tells what is dark and what is bright.
[[nodiscard]] SideBar find_side_bar(
    const PlaneView& luma, const ModuleMap& map, PanelModules size, int side, int corner);

}  // namespace wccl::phy
