#include "phy/cell_levels.h"

#include <algorithm>
#include <cmath>

namespace wccl::phy {
namespace {

// Of the pilots: a few hundred samples settle a mean to well below one grey level.
constexpr int kRowStep = 3;

double pixel(const PlaneView& plane, const YuvView& capture, Point at) {
  const double x = at.x * plane.width / capture.y.width;
  const double y = at.y * plane.height / capture.y.height;
  const int column = std::clamp(static_cast<int>(std::floor(x)), 0, plane.width - 1);
  const int row = std::clamp(static_cast<int>(std::floor(y)), 0, plane.height - 1);
  return plane.row(row)[column];
}

/// @return 0 dark and 1 bright in all channels, -1 for anything between.
int plain_level(const Layout& layout, std::int32_t pilot) {
  const int first = layout.pilot_level(pilot, 0);
  for (int channel = 1; channel < layout.channels(); ++channel) {
    if (layout.pilot_level(pilot, channel) != first) {
      return -1;
    }
  }
  if (first == 0) {
    return 0;
  }
  return first == layout.levels() - 1 ? 1 : -1;
}

}  // namespace

std::array<std::array<double, 3>, 2> measure_cell_levels(const YuvView& capture,
                                                         const Layout& layout,
                                                         const ScreenGeometry& geometry) {
  std::array<std::array<double, 3>, 2> sums{};
  std::array<int, 2> counts{};
  for (int row = 0; row < layout.rows(); row += kRowStep) {
    const auto kinds = layout.kinds(row);
    const auto indices = layout.indices(row);
    for (std::size_t column = 0; column < kinds.size(); ++column) {
      if (kinds[column] != CellKind::kPilot) {
        continue;
      }
      const int level = plain_level(layout, indices[column]);
      if (level < 0) {
        continue;
      }
      const double cell = layout.mode().cell_px;
      const Point at = geometry.map({layout.origin_x() + (static_cast<double>(column) + 0.5) * cell,
                                     layout.origin_y() + (row + 0.5) * cell});
      auto& sum = sums[static_cast<std::size_t>(level)];
      sum[0] += pixel(capture.y, capture, at);
      sum[1] += pixel(capture.cb, capture, at);
      sum[2] += pixel(capture.cr, capture, at);
      ++counts[static_cast<std::size_t>(level)];
    }
  }
  for (std::size_t level = 0; level < 2; ++level) {
    for (double& sum : sums[level]) {
      sum /= std::max(1, counts[level]);
    }
  }
  return sums;
}

}  // namespace wccl::phy
