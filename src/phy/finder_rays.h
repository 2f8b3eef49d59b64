#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/image.h"
#include "phy/finder_detector.h"
#include "phy/zigzag.h"

namespace wccl::phy {

/// Along one ray from a finder's centre: where core, bright ring and dark ring end, and how bright
/// they are.
struct FinderRay {
  std::array<double, 3> radius{};
  std::array<int, 3> value{};
};

/// Confirms what may be a finder by rays from its centre in all directions, and refines its place.
/// Rays that leave the picture say nothing, so finders cut by its edge are found as well.
class FinderRays {
 public:
  explicit FinderRays(const PlaneView& luma) : luma_(luma) {}

  /// @param guess  Its centre within the core, its module to within a factor of 1.5 or so.
  [[nodiscard]] std::optional<Finder> confirm(const Finder& guess);

 private:
  struct Fan;
  enum class Sight { kFits, kDoesNotFit, kLeavesThePicture };

  Sight cast(Point centre, double angle, double module_px, FinderRay& ray);
  Fan fan_out(const Finder& from);

  const PlaneView& luma_;
  std::vector<int> profile_;
  ZigZag zigzag_;
};

}  // namespace wccl::phy
