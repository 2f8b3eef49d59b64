#pragma once

#include <bit>
#include <cstdint>

namespace wccl::collective {

/// IEEE 754 binary16, stored.
struct Float16 {
  std::uint16_t bits = 0;
};
/// The upper half of an IEEE 754 binary32, stored.
struct Bfloat16 {
  std::uint16_t bits = 0;
};

[[nodiscard]] inline float to_float(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16U);
}

/// Exact: every binary16 is a binary32.
[[nodiscard]] inline float to_float(Float16 value) {
  const std::uint32_t sign = (value.bits & 0x8000U) << 16U;
  const std::uint32_t magnitude = value.bits & 0x7FFFU;
  if (magnitude >= 0x7C00U) {  // infinity and NaN
    return std::bit_cast<float>(sign | 0x7F800000U | ((magnitude & 0x3FFU) << 13U));
  }
  // The exponent lands 112 too low for binary32; a product by 2^112 mends it, subnormals included.
  const float scaled = std::bit_cast<float>(magnitude << 13U) * 0x1p112F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

/// Shifts right by `n_bits` (1 to 31), rounding to nearest, ties to even.
[[nodiscard]] inline std::uint32_t round_shift(std::uint32_t value, unsigned n_bits) {
  const std::uint32_t half = 1U << (n_bits - 1U);
  const std::uint32_t odd = (value >> n_bits) & 1U;
  return (value + half - 1U + odd) >> n_bits;
}

/// Rounds to nearest, ties to even; any NaN becomes the quiet NaN 0x7FC0.
[[nodiscard]] inline Bfloat16 to_bfloat16(float value) {
  if (value != value) {
    return {0x7FC0};
  }
  // A carry out of the mantissa raises the exponent, up to infinity: just what rounding asks for.
  return {static_cast<std::uint16_t>(round_shift(std::bit_cast<std::uint32_t>(value), 16))};
}

/// Rounds to nearest, ties to even; too large becomes infinity, any NaN the quiet NaN 0x7E00.
[[nodiscard]] inline Float16 to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) {
    return {0x7E00};
  }
  const std::uint32_t exponent = magnitude >> 23U;
  std::uint32_t rounded = 0;
  if (exponent >= 143) {  // 2^16 and more
    rounded = 0x7C00U;
  } else if (exponent >= 113) {  // normal from 2^-14 on; a carry past 65504 gives infinity
    rounded = round_shift(magnitude - (112U << 23U), 13);
  } else if (exponent >= 102) {  // subnormal, in steps of 2^-24
    rounded = round_shift((magnitude & 0x7FFFFFU) | 0x800000U, 126U - exponent);
  }
  return {static_cast<std::uint16_t>(sign | rounded)};
}

}  // namespace wccl::collective
