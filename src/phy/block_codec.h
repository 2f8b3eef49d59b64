#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bits.h"
#include "phy/llr.h"
#include "phy/mode.h"

namespace wccl::phy {

/// Coded bits of every block: the longest code of IEEE 802.11n.
inline constexpr int kBlockCodedBits = 1944;

/// User bytes in a block of this rate, its CRC-32 already taken off.
[[nodiscard]] std::size_t block_payload_bytes(CodeRate rate);

/// payload + CRC-32 -> LDPC -> [kBlockCodedBits] bits. Payloads shorter than block_payload_bytes are an
/// error of ours (assert).
[[nodiscard]] BitVector encode_block(std::span<const std::byte> payload, CodeRate rate);

struct DecodedBlock {
  std::vector<std::byte> payload;
  int iterations = 0;  ///< Of the LDPC decoder: how close to its limit the block was.
};

/// @param llrs  [kBlockCodedBits], positive means bit 0; 0 is an erasure.
/// @return nothing unless the code's checks and the CRC-32 both hold.
[[nodiscard]] std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs, CodeRate rate);

}  // namespace wccl::phy
