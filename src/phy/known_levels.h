#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wccl::phy {

/// What is known of the levels that a capture shows, from blocks already decoded: from -1 (dark) to
/// 1 (bright), 0 where nothing is known, with a cell more on all sides.
class KnownLevels {
 public:
  void resize(int rows, int columns) {
    rows_ = rows;
    columns_ = columns;
    levels_.assign(3 * (static_cast<std::size_t>(rows) + 2) * width(), 0.0F);
  }
  [[nodiscard]] bool fits(int rows, int columns) const {
    return rows_ == rows && columns_ == columns && !levels_.empty();
  }
  /// Levels of the cells moved by dx, dy from -1 to 1. @return [columns]
  [[nodiscard]] std::span<const float> at(int channel, int row, int dx, int dy) const {
    return std::span(levels_).subspan(start(channel, row + dy) + static_cast<std::size_t>(dx + 1),
                                      static_cast<std::size_t>(columns_));
  }
  [[nodiscard]] std::span<float> row(int channel, int row) {
    return std::span(levels_).subspan(start(channel, row) + 1, static_cast<std::size_t>(columns_));
  }

 private:
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(columns_) + 2; }
  [[nodiscard]] std::size_t start(int channel, int row) const {
    return static_cast<std::size_t>(channel * (rows_ + 2) + row + 1) * width();
  }

  int rows_ = 0;
  int columns_ = 0;
  std::vector<float> levels_;  ///< [channel][rows + 2][columns + 2]
};

}  // namespace wccl::phy
