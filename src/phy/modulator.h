#pragma once

#include <cstdint>
#include <span>

namespace wccl::phy {

/// Gray PAM, levels counted from dark to bright. The first bit of a cell picks the half, and bright
/// means 0: level 0 of four is 10, then 11, 01, 00.
/// @param bits  Of one cell in one channel, first bit first.
[[nodiscard]] int level_of(std::span<const std::uint8_t> bits);

/// What the panel shows for a level of `levels`: equal steps of sRGB from 0 to 255.
[[nodiscard]] constexpr std::uint8_t level_value(int level, int levels) {
  return static_cast<std::uint8_t>((level * 255 + (levels - 1) / 2) / (levels - 1));
}

/// Bit `bit` (0 first) that a level stands for: the inverse of level_of.
[[nodiscard]] constexpr int level_bit(int level, int bit, int bits_per_level) {
  const int binary = (1 << bits_per_level) - 1 - level;
  const int gray = binary ^ (binary >> 1);
  return (gray >> (bits_per_level - 1 - bit)) & 1;
}

}  // namespace wccl::phy
