#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/image.h"

namespace wccl::phy {

/// Something that looks like a finder: dark core, bright ring, dark ring, in widths of 3 : 1 : 1.
struct Finder {
  Point centre;
  double module_px =
      0;            ///< Side of a module in capture pixels: root of the area, whatever the view.
  int support = 0;  ///< Of kFinderRays, those along which the rings were found.
  double contrast = 0;  ///< 0 to 1: how evenly the rings stand out from each other.
};

inline constexpr int kFinderRays = 16;

/// Which lines are searched. Rows find finders turned by up to about 25 degrees from upright (or
/// from the next quarter turn), diagonals the others; small ones are found by both.
enum class FinderScan { kRows, kDiagonals, kBoth };

/// Corners of a screen in the capture, clockwise.
using ScreenOutline = std::array<Point, 4>;

/// Finds the finders of a capture from about 3.6 pixels a module: in half of the picture, which
/// takes a quarter of the work and has less noise. Runs of 1:1:3:1:1 between the local extremes of
/// every second line (as QR readers do, ISO/IEC 18004, but without a global threshold, so that
/// vignetting and glare do not matter) give candidates; rays from their centre in all directions
/// confirm and refine them. There may be false ones; they are few. The best come first.
/// @param known  Screens within which nothing is looked for.
[[nodiscard]] std::vector<Finder> detect_large_finders(const PlaneView& luma,
                                                       std::span<const ScreenOutline> known = {});

/// The same for finders of about 1.8 to 5 pixels a module.
[[nodiscard]] std::vector<Finder> detect_small_finders(const PlaneView& luma,
                                                       FinderScan scan,
                                                       std::span<const ScreenOutline> known = {});

/// Joins two lists, the best first; what is in both stays once.
void add_finders(std::vector<Finder>& finders, std::span<const Finder> others);

/// Finders of all sizes. @param scan  For the small ones.
[[nodiscard]] std::vector<Finder> detect_finders(const PlaneView& luma, FinderScan scan);

}  // namespace wccl::phy
