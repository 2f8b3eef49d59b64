#pragma once

#include <cstdint>

namespace wccl {

/// What splitmix64 (Steele, Lea and Flood, OOPSLA 2014) adds to its state at each step.
inline constexpr std::uint64_t kSplitmixStep = 0x9E3779B97F4A7C15U;

/// splitmix64's output function: the word that belongs to a state.
[[nodiscard]] constexpr std::uint64_t splitmix64_output(std::uint64_t state) {
  state = (state ^ (state >> 30U)) * 0xBF58476D1CE4E5B9U;
  state = (state ^ (state >> 27U)) * 0x94D049BB133111EBU;
  return state ^ (state >> 31U);
}

/// Word number `index` of the stream that begins at state 0: random words in any order.
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t index) {
  return splitmix64_output((index + 1) * kSplitmixStep);
}

}  // namespace wccl
