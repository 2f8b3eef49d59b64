#pragma once

#include <cstdint>
#include <span>

#include "phy/mode.h"

namespace wccl::phy {

/// Systematic encoding by the dual diagonal of the 802.11n matrices (Richardson and Urbanke 2001):
/// sums of rotated blocks, no generator matrix.
/// @param info      [ldpc_code(rate).info_bits()], one bit an element.
/// @param codeword  [kLdpcCodedBits]: the info bits, then the parity bits.
void ldpc_encode(std::span<const std::uint8_t> info,
                 CodeRate rate,
                 std::span<std::uint8_t> codeword);

}  // namespace wccl::phy
