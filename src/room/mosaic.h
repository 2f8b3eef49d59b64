#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace wccl::room {

/// One value a sensor pixel behind its colour filter (R G / G B), in linear light.
struct MosaicPlane {
  int width = 0;
  int height = 0;
  std::vector<float> values;  ///< [height * width]

  MosaicPlane() = default;
  MosaicPlane(int width_px, int height_px)
      : width(width_px),
        height(height_px),
        values(static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px)) {}
  [[nodiscard]] const float* row(int y) const {
    return values.data() + static_cast<std::ptrdiff_t>(y) * width;
  }
  [[nodiscard]] float* row(int y) { return values.data() + static_cast<std::ptrdiff_t>(y) * width; }
};

/// What lies between a sharp picture in the panel's colours and the sensor: blur, then colour
/// filters that overlap, then the mosaic.
class MosaicFilter {
 public:
  /// @param crosstalk  Camera R, G, B (rows) from panel R, G, B (columns).
  MosaicFilter(double psf_sigma_px, const std::array<double, 9>& crosstalk);

  [[nodiscard]] int radius() const { return static_cast<int>(taps_.size()) - 1; }

  /// Fills row `y` of the sharp picture: [width * 4] R, G, B, 0.
  using RowSource = std::function<void(int y, std::span<float> row)>;
  /// @param target  Its upper left pixel is a red one. Beyond its edges the picture goes on as at
  /// the edge.
  void apply(const RowSource& source, MosaicPlane& target) const;

 private:
  void blur_rows(std::span<const float* const> rows, std::span<float> out) const;
  void pick_colours(const float* blurred, int y, std::span<float> out) const;

  std::vector<float> taps_;  ///< From the middle outwards; the kernel is symmetric and sums to 1.
  std::array<float, 9> crosstalk_{};
};

}  // namespace wccl::room
