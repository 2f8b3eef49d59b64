#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bits.h"
#include "phy/ldpc_code.h"
#include "phy/ldpc_decoder.h"
#include "phy/llr.h"

namespace wccl::phy {

/// User bytes in a block of any rate, its CRC-32 already taken off.
inline constexpr std::size_t kBlockPayloadBytes = kLdpcInfoBits / 8 - 4;

/// payload + CRC-32 -> LDPC -> [n_coded_bits]. Payloads of another size than kBlockPayloadBytes are
/// an error of ours (assert).
[[nodiscard]] BitVector encode_block(std::span<const std::byte> payload, std::size_t n_coded_bits);

/// A block for a slot that has nothing to carry: its payload is a fixed noise, and its CRC-32
/// starts from kFillerCrcInitial, which tells it from data. Receivers know all its bits in advance,
/// and no payload that anybody would send is like it: zeros, for one, are not.
[[nodiscard]] BitVector encode_filler(std::size_t n_coded_bits);
inline constexpr std::uint32_t kFillerCrcInitial = 0;

struct DecodedBlock {
  std::vector<std::byte> payload;  ///< Empty for filler.
  int iterations = 0;              ///< Of the LDPC decoder: how close to its limit the block was.
  bool filler = false;             ///< Counts neither as good nor as bad.
};

/// @param llrs     Of the coded bits: positive means bit 0; 0 is an erasure.
/// @param decoder  Scratch and iteration limit: with one of its own a thread decodes without
///                 allocating more than the payload.
/// @return nothing unless the CRC-32 holds and so do the code's checks, but for a few: min-sum gets
///         stuck on parity bits alone, and then the payload is right nevertheless.
[[nodiscard]] std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs,
                                                       LdpcDecoder& decoder);
[[nodiscard]] std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs);

}  // namespace wccl::phy
