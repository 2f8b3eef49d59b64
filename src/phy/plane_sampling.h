#pragma once

#include <algorithm>

#include "base/image.h"

namespace wccl::phy {

/// Bilinear interpolation at a point in pixel coordinates (base/image.h); the edge pixels go on
/// outside.
[[nodiscard]] inline float sample_bilinear(const PlaneView& plane, double x, double y) {
  const double left = std::clamp(x - 0.5, 0.0, static_cast<double>(plane.width - 1));
  const double top = std::clamp(y - 0.5, 0.0, static_cast<double>(plane.height - 1));
  const int x0 = static_cast<int>(left);
  const int y0 = static_cast<int>(top);
  const int x1 = std::min(x0 + 1, plane.width - 1);
  const int y1 = std::min(y0 + 1, plane.height - 1);
  const auto fx = static_cast<float>(left - x0);
  const auto fy = static_cast<float>(top - y0);
  const std::uint8_t* upper = plane.row(y0);
  const std::uint8_t* lower = plane.row(y1);
  const float a = static_cast<float>(upper[x0]) * (1.0F - fx) + static_cast<float>(upper[x1]) * fx;
  const float b = static_cast<float>(lower[x0]) * (1.0F - fx) + static_cast<float>(lower[x1]) * fx;
  return a * (1.0F - fy) + b * fy;
}

}  // namespace wccl::phy
