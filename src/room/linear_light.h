#pragma once

#include <array>
#include <cstdint>

namespace wccl::room {

/// sRGB's transfer function (IEC 61966-2-1), both ways; light from 0 (black) to 1 (white).
[[nodiscard]] double srgb_to_linear(double encoded);
[[nodiscard]] double linear_to_srgb(double light);

/// Light of an 8-bit sRGB value as a share of white in steps of 1 / 65535.
[[nodiscard]] const std::array<std::uint16_t, 256>& srgb_to_linear16();

}  // namespace wccl::room
