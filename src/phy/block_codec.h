#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bits.h"
#include "phy/ldpc_decoder.h"
#include "phy/llr.h"
#include "phy/mode.h"

namespace wccl::phy {

/// Coded bits of every block: the longest code of IEEE 802.11n.
inline constexpr int kBlockCodedBits = 1944;

/// User bytes in a block of this rate, its CRC-32 already taken off; 0 for kNone.
[[nodiscard]] std::size_t block_payload_bytes(CodeRate rate);

/// payload + CRC-32 -> LDPC -> [kBlockCodedBits] bits. Payloads of another size than
/// block_payload_bytes are an error of ours (assert).
[[nodiscard]] BitVector encode_block(std::span<const std::byte> payload, CodeRate rate);

/// A block for a slot that has nothing to carry: its payload is a fixed noise, and its CRC-32
/// starts from kFillerCrcInitial, which tells it from data. Receivers know all its bits in advance,
/// and no payload that anybody would send is like it: zeros, for one, are not.
[[nodiscard]] BitVector encode_filler(CodeRate rate);
inline constexpr std::uint32_t kFillerCrcInitial = 0;

struct DecodedBlock {
  std::vector<std::byte> payload;  ///< Empty for filler.
  int iterations = 0;              ///< Of the LDPC decoder: how close to its limit the block was.
  bool filler = false;             ///< Counts neither as good nor as bad.
};

/// @param llrs     [kBlockCodedBits], positive means bit 0; 0 is an erasure.
/// @param decoder  Scratch and iteration limit: with one of its own a thread decodes without
/// allocating more than
///                 the payload.
/// @return nothing unless the CRC-32 holds and so do the code's checks, but for a few: min-sum gets
/// stuck on parity
///         bits alone, and then the payload is right nevertheless.
[[nodiscard]] std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs,
                                                       CodeRate rate,
                                                       LdpcDecoder& decoder);
[[nodiscard]] std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs, CodeRate rate);

}  // namespace wccl::phy
