#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wccl::train {

/// A number as four floats of 16 bits each, which a sum with zeros leaves exact: how numbers travel
/// by collectives that carry floats.
inline constexpr std::size_t kFloatsPerNumber = 4;

/// @param floats  [kFloatsPerNumber]
inline void put_number(std::uint64_t number, std::span<float> floats) {
  for (std::size_t i = 0; i < kFloatsPerNumber; ++i) {
    floats[i] = static_cast<float>((number >> (16 * i)) & 0xFFFFU);
  }
}

/// The inverse. What is no such float, from a peer that sent something else, reads as 0.
[[nodiscard]] inline std::uint64_t get_number(std::span<const float> floats) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < kFloatsPerNumber; ++i) {
    const float word = floats[i];
    if (word >= 0 && word <= 65535) {
      number |= static_cast<std::uint64_t>(word) << (16 * i);
    }
  }
  return number;
}

}  // namespace wccl::train
