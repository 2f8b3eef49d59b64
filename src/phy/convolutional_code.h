#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace wccl::phy {

/// The rate 1/2 convolutional code of constraint length 7 (Odenwalder 1970; IEEE
/// 802.11-2016, 17.3.5.6), which the encoder and the Viterbi decoder share.
struct ConvolutionalCode {
  static constexpr int kTailBits = 6;  ///< Zeros that bring the register back to state 0.
  static constexpr std::uint32_t kStates = 64;
  /// Octal 133 and 171: taps on the register, the newest bit at the left.
  static constexpr std::array<std::uint32_t, 2> kTaps{0133, 0171};

  /// @param state  The last six bits, the newest at the left.
  /// @return coded bit `output` (0 or 1) when `bit` enters.
  static constexpr std::uint8_t coded_bit(std::uint32_t state,
                                          std::uint32_t bit,
                                          std::size_t output) {
    const std::uint32_t window = (bit << kTailBits) | state;
    return static_cast<std::uint8_t>(static_cast<unsigned>(std::popcount(window & kTaps[output])) &
                                     1U);
  }
  static constexpr std::uint32_t next_state(std::uint32_t state, std::uint32_t bit) {
    return ((bit << kTailBits) | state) >> 1;
  }
};

}  // namespace wccl::phy
