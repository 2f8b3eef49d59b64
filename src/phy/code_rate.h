#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wccl::phy {

/// Code rates of a mode's channels; kNone: the channel bears no data. All blocks bear the same
/// payload (kBlockPayloadBytes); the rate says how many coded bits each gets at least.
enum class CodeRate : std::uint8_t { kNone, k1_5, k1_3, k2_5, k1_2, k3_5, k2_3, k3_4, k5_6, k8_9 };

inline constexpr std::array kCodeRates{CodeRate::k1_5, CodeRate::k1_3, CodeRate::k2_5,
                                       CodeRate::k1_2, CodeRate::k3_5, CodeRate::k2_3,
                                       CodeRate::k3_4, CodeRate::k5_6, CodeRate::k8_9};

/// "1/2"; "-" for kNone.
[[nodiscard]] std::string_view name_of(CodeRate rate);

/// Coded bits of a block at this rate; 0 for kNone.
[[nodiscard]] std::size_t block_coded_bits(CodeRate rate);

/// SNR of two levels (their squared distance from the middle over the noise variance) at which one
/// block in a hundred fails in white Gaussian noise, in dB: bench/phy_code_bench measures it.
/// @return minus infinity for kNone.
[[nodiscard]] double required_snr_db(CodeRate rate);

}  // namespace wccl::phy
