#include "room/panel_light.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "room/linear_light.h"

namespace wccl::room {
namespace {

const std::array<std::int16_t, 256>& light_of_values() {
  static const auto table = [] {
    std::array<std::int16_t, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<std::int16_t>(
          std::lround(PanelLight::kWhite * srgb_to_linear(static_cast<double>(i) / 255)));
    }
    return values;
  }();
  return table;
}

/// a * b / 2^15, rounded: one instruction where the compiler knows it.
std::int16_t scaled(std::int16_t a, std::int16_t b) {
  return static_cast<std::int16_t>((a * b + 0x4000) >> 15);
}

}  // namespace

PanelLight::PanelLight(int width_px,
                       int height_px,
                       int margin_px,
                       const std::array<double, 9>& crosstalk)
    : width_(width_px), height_(height_px), margin_(margin_px), stride_(width_px + 2 * margin_px) {
  double brightest = 1e-9;
  for (std::size_t row = 0; row < 9; row += 3) {
    brightest = std::max(brightest, crosstalk[row] + crosstalk[row + 1] + crosstalk[row + 2]);
  }
  unit_ = brightest / kWhite;
  for (std::size_t i = 0; i < 9; ++i) {
    mix_[i] =
        static_cast<std::int16_t>(std::min(std::lround(32768 * crosstalk[i] / brightest), 32767L));
  }
  for (auto& plane : planes_) {
    plane.resize(static_cast<std::size_t>(stride_) *
                 static_cast<std::size_t>(height_px + 2 * margin_px));
  }
  for (auto& row : row_) {
    row.resize(static_cast<std::size_t>(width_px));
  }
}

void PanelLight::load(const RgbImage& frame) {
  assert(frame.width == width_ && frame.height == height_);
  for (int y = 0; y < height_; ++y) {
    load_row(frame.row(y), y);
  }
}

void PanelLight::load_row(const std::uint8_t* pixels, int y) {
  const auto& light = light_of_values();
  std::int16_t* const r = row_[0].data();
  std::int16_t* const g = row_[1].data();
  std::int16_t* const b = row_[2].data();
  for (int x = 0; x < width_; ++x, pixels += 3) {
    r[x] = light[pixels[0]];
    g[x] = light[pixels[1]];
    b[x] = light[pixels[2]];
  }
  for (std::size_t filter = 0; filter < 3; ++filter) {
    const std::int16_t from_r = mix_[3 * filter];
    const std::int16_t from_g = mix_[3 * filter + 1];
    const std::int16_t from_b = mix_[3 * filter + 2];
    std::int16_t* const out =
        planes_[filter].data() + static_cast<std::ptrdiff_t>(y + margin_) * stride_ + margin_;
    for (int x = 0; x < width_; ++x) {
      out[x] = static_cast<std::int16_t>(scaled(r[x], from_r) + scaled(g[x], from_g) +
                                         scaled(b[x], from_b));
    }
  }
}

}  // namespace wccl::room
