#include "phy/ldpc_encoder.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "phy/ldpc_code.h"

namespace wccl::phy {
namespace {

using Lifted = std::array<std::uint8_t, kLdpcLift>;

void add(Lifted& sum, const std::uint8_t* block, std::size_t shift) {
  const std::size_t n_head = kLdpcLift - shift;
  for (std::size_t i = 0; i < n_head; ++i) {
    sum[i] ^= block[i + shift];
  }
  for (std::size_t i = n_head; i < kLdpcLift; ++i) {
    sum[i] ^= block[i - n_head];
  }
}

}  // namespace

void ldpc_encode(std::span<const std::uint8_t> info,
                 CodeRate rate,
                 std::span<std::uint8_t> codeword) {
  const LdpcCode& code = ldpc_code(rate);
  assert(info.size() == code.info_bits() && codeword.size() == kLdpcCodedBits);
  std::copy(info.begin(), info.end(), codeword.begin());
  const std::size_t n_rows = code.rows.size();
  const std::size_t first_parity = code.info_columns();
  const auto column = [&](std::size_t index) { return codeword.data() + index * kLdpcLift; };

  // What each row of checks still lacks, from the info bits alone.
  std::array<Lifted, kLdpcColumns> lacking{};
  Lifted total{};
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (const LdpcBlock& block : code.rows[row]) {
      if (block.column < first_parity) {
        add(lacking[row], column(block.column), block.shift);
      }
    }
    add(total, lacking[row].data(), 0);
  }
  // Over all rows every diagonal column cancels, and of the first parity column (shifts s, 0, s)
  // the unshifted block stays: it is the total.
  std::copy(total.begin(), total.end(), column(first_parity));
  for (std::size_t row = 0; row + 1 < n_rows; ++row) {
    for (const LdpcBlock& block : code.rows[row]) {
      // The last block of the row is the parity column that this row finds.
      if (block.column >= first_parity && block.column != first_parity + row + 1) {
        add(lacking[row], column(block.column), block.shift);
      }
    }
    std::copy(lacking[row].begin(), lacking[row].end(), column(first_parity + row + 1));
  }
}

}  // namespace wccl::phy
