#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/image.h"

namespace wccl::room {

/// What a panel shows, in linear light, as each of the camera's colour filters sees it: three
/// planes of 16-bit numbers with a dark margin around them.
class PanelLight {
 public:
  static constexpr int kWhite =
      32000;  ///< Of the brightest filter at a white panel; leaves room for rounding up.

  /// @param crosstalk  Camera R, G, B (rows) from panel R, G, B (columns).
  PanelLight(int width_px, int height_px, int margin_px, const std::array<double, 9>& crosstalk);

  /// @param frame  Of this size.
  void load(const RgbImage& frame);

  /// The light of a pixel value of 1.
  [[nodiscard]] double unit() const { return unit_; }
  [[nodiscard]] const std::int16_t* pixel(int filter, int x, int y) const {
    return planes_[static_cast<std::size_t>(filter)].data() +
           static_cast<std::ptrdiff_t>(y + margin_) * stride_ + x + margin_;
  }
  [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }
  [[nodiscard]] int margin() const { return margin_; }

 private:
  void load_row(const std::uint8_t* pixels, int y);

  int width_;
  int height_;
  int margin_;
  std::ptrdiff_t stride_;
  double unit_;
  std::array<std::int16_t, 9> mix_{};  ///< crosstalk in steps of 1 / 32768 of the brightest filter.
  std::array<std::vector<std::int16_t>, 3> planes_;
  std::array<std::vector<std::int16_t>, 3> row_;
};

}  // namespace wccl::room
