#pragma once

#include <algorithm>
#include <cstdint>

#include "base/image.h"

namespace wccl::phy {

/// Like std::clamp; what is not a number becomes the lower bound. A projection that makes no sense
/// may ask for any place, and must not read outside the picture.
[[nodiscard]] constexpr float held_within(float value, float low, float high) {
  return std::max(low, std::min(value, high));
}

/// Where to interpolate in planes of one size: four pixels and their weights. The edge pixels go
/// on outside.
class BilinearPlace {
 public:
  /// @param x, y  In pixel coordinates (base/image.h).
  BilinearPlace(const PlaneView& plane, float x, float y) {
    const float left = held_within(x - 0.5F, 0.0F, static_cast<float>(plane.width - 1));
    const float top = held_within(y - 0.5F, 0.0F, static_cast<float>(plane.height - 1));
    x0_ = static_cast<int>(left);
    y0_ = static_cast<int>(top);
    x1_ = std::min(x0_ + 1, plane.width - 1);
    y1_ = std::min(y0_ + 1, plane.height - 1);
    fx_ = left - static_cast<float>(x0_);
    fy_ = top - static_cast<float>(y0_);
  }

  [[nodiscard]] float sample(const PlaneView& plane) const {
    const std::uint8_t* upper = plane.row(y0_);
    const std::uint8_t* lower = plane.row(y1_);
    const float a =
        static_cast<float>(upper[x0_]) * (1.0F - fx_) + static_cast<float>(upper[x1_]) * fx_;
    const float b =
        static_cast<float>(lower[x0_]) * (1.0F - fx_) + static_cast<float>(lower[x1_]) * fx_;
    return a * (1.0F - fy_) + b * fy_;
  }

 private:
  int x0_;
  int y0_;
  int x1_;
  int y1_;
  float fx_;
  float fy_;
};

/// Bilinear interpolation at a point in pixel coordinates.
[[nodiscard]] inline float sample_bilinear(const PlaneView& plane, double x, double y) {
  return BilinearPlace(plane, static_cast<float>(x), static_cast<float>(y)).sample(plane);
}

}  // namespace wccl::phy
