#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "phy/sync_columns.h"

namespace wccl::phy {

/// Part of the light that a cell at this phase has from a frame; below 0 for frames further off.
[[nodiscard]] inline float share_of(float phase, int frame) {
  return 1 - std::abs(phase - static_cast<float>(frame));
}

/// Phases along a row of cells.
struct RowPhases {
  float left = 0;   ///< At the panel's left edge.
  float right = 0;  ///< At its right edge.
  float step = 0;   ///< From column to column.
  int first = 0;    ///< Frames that it shows.
  int last = 0;

  RowPhases() = default;
  RowPhases(FramePhases::Row row, int columns)
      : left(row.left),
        right(row.right),
        step((row.right - row.left) / static_cast<float>(columns)),
        first(static_cast<int>(std::floor(std::min(row.left, row.right)))),
        last(static_cast<int>(std::ceil(std::max(row.left, row.right)))) {}

  [[nodiscard]] float at(std::size_t column) const {
    return left + step * (static_cast<float>(column) + 0.5F);
  }
  /// Whether all of it shows this frame alone.
  [[nodiscard]] bool shows_only(int frame) const {
    return left == static_cast<float>(frame) && right == left;
  }
  /// The largest share of a frame along the row.
  [[nodiscard]] float most_of(int frame) const {
    const auto number = static_cast<float>(frame);
    return share_of(std::clamp(number, std::min(left, right), std::max(left, right)), frame);
  }
};

}  // namespace wccl::phy
