#pragma once

#include <algorithm>
#include <cstdint>

#include "phy/llr.h"

namespace wccl::phy {

/// The decoder's numbers, in eight bits without saturating instructions: |posterior| + |message| <=
/// 126, so no sum or difference of the two overflows before it is clamped. One unit is 2 /
/// kLlrScale = 1/4 nat.
inline constexpr int kMaxMessage = 31;
inline constexpr int kMaxPosterior = 95;

/// Outcome of a decoding.
struct LdpcResult {
  bool converged = false;  ///< All parity checks hold.
  int iterations = 0;
};

/// Halves a channel LLR, rounding away from zero: a weak opinion is not an erasure.
[[nodiscard]] constexpr std::int8_t to_posterior(Llr llr) {
  const int magnitude = (std::abs(static_cast<int>(llr)) + 1) / 2;
  return static_cast<std::int8_t>(llr < 0 ? -magnitude : magnitude);
}

}  // namespace wccl::phy
