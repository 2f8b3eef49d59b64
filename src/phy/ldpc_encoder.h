#pragma once

#include <cstdint>
#include <span>

namespace wccl::phy {

/// Systematic encoding without a generator matrix: the dual diagonal of the core (Richardson and
/// Urbanke 2001), then each further row for itself.
/// @param info   [kLdpcInfoBits], one bit an element.
/// @param coded  At least kLdpcLeastCodedBits: the codeword without its punctured columns, from its
///               start; behind its end it starts again (TS 38.212, 5.4.2.1, redundancy version 0).
void ldpc_encode(std::span<const std::uint8_t> info, std::span<std::uint8_t> coded);

}  // namespace wccl::phy
