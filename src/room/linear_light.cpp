#include "room/linear_light.h"

#include <cmath>

namespace wccl::room {

double srgb_to_linear(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

double linear_to_srgb(double light) {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

const std::array<std::uint16_t, 256>& srgb_to_linear16() {
  static const auto table = [] {
    std::array<std::uint16_t, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<std::uint16_t>(
          std::lround(65535 * srgb_to_linear(static_cast<double>(i) / 255)));
    }
    return values;
  }();
  return table;
}

}  // namespace wccl::room
