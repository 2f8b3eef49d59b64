#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phy/mode.h"

namespace wccl::phy {

/// Side of the cyclic blocks that make up a parity-check matrix.
inline constexpr std::size_t kLdpcLift = 81;
inline constexpr std::size_t kLdpcColumns = 24;
inline constexpr std::size_t kLdpcCodedBits = kLdpcColumns * kLdpcLift;

/// A cyclic block of the parity-check matrix: check i of its row meets bit (i + shift) mod 81 of
/// its column.
struct LdpcBlock {
  std::uint8_t column = 0;
  std::uint8_t shift = 0;
};

/// A quasi-cyclic code of IEEE 802.11n for n = 1944: rows of cyclic blocks.
struct LdpcCode {
  std::vector<std::vector<LdpcBlock>> rows;  ///< Columns rise in each row.

  [[nodiscard]] std::size_t info_columns() const { return kLdpcColumns - rows.size(); }
  [[nodiscard]] std::size_t info_bits() const { return info_columns() * kLdpcLift; }
};

/// @param rate  Not kNone.
[[nodiscard]] const LdpcCode& ldpc_code(CodeRate rate);

}  // namespace wccl::phy
