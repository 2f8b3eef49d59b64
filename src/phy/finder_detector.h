#pragma once

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

/// Finds all finders of a capture from about 1.8 pixels a module. Runs of 1:1:3:1:1 between the
/// local extremes of every second line (as QR readers do, ISO/IEC 18004, but without a global
/// threshold, so that vignetting and glare do not matter) give candidates; rays from their centre
/// in all directions confirm and refine them. There may be false ones; they are few. The best come
/// first.
[[nodiscard]] std::vector<Finder> detect_finders(const PlaneView& luma, FinderScan scan);

}  // namespace wccl::phy
