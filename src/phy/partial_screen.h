#pragma once

#include <span>
#include <vector>

#include "base/image.h"
#include "phy/finder_detector.h"
#include "phy/screen_detector.h"

namespace wccl::phy {

/// Screens of which one finder is hidden, by a hand, by glare, or by the edge of the picture. The
/// sizes of the other three say roughly where it must be; the header strip between two of them is
/// read with that, and then what the whole border should look like tells the place to within a
/// cell.
/// @param finders  Those that belong to no screen with four.
/// @param lens_ks  Distortions to try, the likeliest first.
[[nodiscard]] std::vector<DetectedScreen> detect_partial_screens(const PlaneView& luma,
                                                                 std::span<const Finder> finders,
                                                                 std::span<const double> lens_ks);

}  // namespace wccl::phy
