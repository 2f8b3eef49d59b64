#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wccl::phy {

// Base graph 1 of 5G NR (3GPP TS 38.212, 5.3.2) with lifts of 64: a column is one machine word, and
// two vectors of 32 bytes. One matrix serves all rates: each row from the fifth on adds a column of
// parity bits, so whoever sends fewer bits has fewer rows.

/// Side of the cyclic blocks that make up the parity-check matrix.
inline constexpr std::size_t kLdpcLift = 64;
inline constexpr std::size_t kLdpcRows = 46;
inline constexpr std::size_t kLdpcInfoColumns = 22;
inline constexpr std::size_t kLdpcColumns = kLdpcInfoColumns + kLdpcRows;
/// The first rows, whose parity columns (the next four) hang together: the code of the highest
/// rate. Its checks settle the info bits. Each further row has the only block of its parity column,
/// as its last: it bears witness of the others, and no other row is about it.
inline constexpr std::size_t kLdpcCoreRows = 4;
/// The first columns are never sent; the code finds them.
inline constexpr std::size_t kLdpcPuncturedColumns = 2;

inline constexpr std::size_t kLdpcMostRowBlocks = 19;

inline constexpr std::size_t kLdpcInfoBits = kLdpcInfoColumns * kLdpcLift;
/// Bits of a codeword that can be sent. Who sends more starts again with the first of them.
inline constexpr std::size_t kLdpcBufferBits = (kLdpcColumns - kLdpcPuncturedColumns) * kLdpcLift;
/// Fewer cannot be decoded.
inline constexpr std::size_t kLdpcLeastCodedBits = kLdpcInfoBits;

/// A cyclic block of the parity-check matrix: check i of its row meets bit (i + shift) mod 64 of
/// its column.
struct LdpcBlock {
  std::uint8_t column = 0;
  std::uint8_t shift = 0;
};

/// The blocks of a row; columns rise.
[[nodiscard]] std::span<const LdpcBlock> ldpc_row(std::size_t row);

/// Rows whose parity bits are among the first bits of the codeword that are sent, so that they bear
/// on its decoding: 4 to 46.
/// @param n_coded_bits  At least kLdpcLeastCodedBits.
[[nodiscard]] std::size_t ldpc_rows(std::size_t n_coded_bits);

}  // namespace wccl::phy
