#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace wccl::phy {

/// Log-likelihood ratio ln(P(bit = 0) / P(bit = 1)) in steps of 1 / kLlrScale, saturated at +-127. Eight bits
/// let the decoder work on 32 of them in one AVX2 register.
using Llr = std::int8_t;
inline constexpr float kLlrScale = 8.0F;

[[nodiscard]] inline Llr to_llr(float natural) {
  return static_cast<Llr>(std::lround(std::clamp(natural * kLlrScale, -127.0F, 127.0F)));
}

}  // namespace wccl::phy
