#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "phy/llr.h"

namespace wccl::test {

/// What a receiver of antipodal signals in white Gaussian noise thinks of `bits`.
/// @param ebn0_db  Energy per *information* bit over noise density.
inline std::vector<phy::Llr> awgn_llrs(std::span<const std::uint8_t> bits,
                                       double code_rate,
                                       double ebn0_db,
                                       Rng& rng) {
  const double noise_var = 1.0 / (2.0 * code_rate * std::pow(10.0, ebn0_db / 10.0));
  std::vector<phy::Llr> llrs;
  llrs.reserve(bits.size());
  for (const std::uint8_t bit : bits) {
    const double sample = (bit != 0 ? -1.0 : 1.0) + std::sqrt(noise_var) * rng.normal();
    llrs.push_back(phy::to_llr(static_cast<float>(2.0 * sample / noise_var)));
  }
  return llrs;
}

/// The same without noise: every LLR is +-magnitude.
inline std::vector<phy::Llr> sure_llrs(std::span<const std::uint8_t> bits, int magnitude = 40) {
  std::vector<phy::Llr> llrs;
  llrs.reserve(bits.size());
  for (const std::uint8_t bit : bits) {
    llrs.push_back(static_cast<phy::Llr>(bit != 0 ? -magnitude : magnitude));
  }
  return llrs;
}

inline std::vector<std::uint8_t> random_bits(std::size_t n_bits, Rng& rng) {
  std::vector<std::uint8_t> bits(n_bits);
  for (auto& bit : bits) {
    bit = static_cast<std::uint8_t>(rng.below(2));
  }
  return bits;
}

inline std::vector<std::byte> random_bytes(std::size_t n_bytes, Rng& rng) {
  std::vector<std::byte> bytes(n_bytes);
  for (auto& byte : bytes) {
    byte = static_cast<std::byte>(rng.below(256));
  }
  return bytes;
}

}  // namespace wccl::test
