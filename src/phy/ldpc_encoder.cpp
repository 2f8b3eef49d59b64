#include "phy/ldpc_encoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "phy/ldpc_code.h"

namespace wccl::phy {
namespace {

/// A column of a codeword, bit i the i-th.
using Column = std::uint64_t;
static_assert(kLdpcLift == 64);

/// The sum of the row's blocks in the columns before `end`: bit i is what check i of the row lacks.
Column lacking(const std::array<Column, kLdpcColumns>& word, std::size_t row, std::size_t end) {
  Column sum = 0;
  for (const LdpcBlock& block : ldpc_row(row)) {
    if (block.column < end) {
      sum ^= std::rotr(word[block.column], block.shift);
    }
  }
  return sum;
}

void find_parity(std::array<Column, kLdpcColumns>& word, std::size_t n_rows) {
  // Over the core's rows every column of the diagonal cancels, and of the first parity column
  // (shifts 1, 0, 1) the unshifted block stays: it is the sum of all that the rows lack.
  for (std::size_t row = 0; row < kLdpcCoreRows; ++row) {
    word[kLdpcInfoColumns] ^= lacking(word, row, kLdpcInfoColumns);
  }
  // The last block of a row is the parity column that it finds. The core's last row finds none.
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (row + 1 != kLdpcCoreRows) {
      const std::size_t column = ldpc_row(row).back().column;
      word[column] = lacking(word, row, column);
    }
  }
}

}  // namespace

void ldpc_encode(std::span<const std::uint8_t> info, std::span<std::uint8_t> coded) {
  assert(info.size() == kLdpcInfoBits);
  std::array<Column, kLdpcColumns> word{};
  for (std::size_t column = 0; column < kLdpcInfoColumns; ++column) {
    for (std::size_t i = 0; i < kLdpcLift; ++i) {
      word[column] |= Column{info[column * kLdpcLift + i]} << i;
    }
  }
  find_parity(word, ldpc_rows(coded.size()));
  for (std::size_t begin = 0; begin < coded.size(); begin += kLdpcLift) {
    const Column column = word[kLdpcPuncturedColumns + begin % kLdpcBufferBits / kLdpcLift];
    const std::size_t n = std::min(kLdpcLift, coded.size() - begin);
    for (std::size_t i = 0; i < n; ++i) {
      coded[begin + i] = static_cast<std::uint8_t>(column >> i & 1U);
    }
  }
}

}  // namespace wccl::phy
