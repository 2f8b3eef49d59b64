#pragma once

#include <algorithm>
#include <cstdint>

namespace wccl::phy {

/// Log-likelihood ratio ln(P(bit = 0) / P(bit = 1)) in steps of 1 / kLlrScale, saturated at +-127.
/// Eight bits let the decoder work on 32 of them in one AVX2 register.
using Llr = std::int8_t;
inline constexpr float kLlrScale = 8.0F;

/// Rounds to the nearest, halves upwards. Plain arithmetic, so that a loop over it becomes SIMD.
[[nodiscard]] inline Llr to_llr(float natural) {
  const float scaled = std::max(-127.0F, std::min(127.0F, natural * kLlrScale));
  return static_cast<Llr>(static_cast<int>(scaled + 127.5F) - 127);
}

}  // namespace wccl::phy
