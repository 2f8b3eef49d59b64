#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "phy/ldpc_arithmetic.h"
#include "phy/ldpc_code.h"
#include "phy/llr.h"

namespace wccl::phy {

/// LdpcDecoder one check at a time: the same numbers, bit for bit, in code that shows the
/// algorithm. Tests hold the fast one against it.
class ScalarLdpcDecoder {
 public:
  explicit ScalarLdpcDecoder(int max_iterations = 20) : max_iterations_(max_iterations) {}

  /// As LdpcDecoder::decode.
  LdpcResult decode(std::span<const Llr> llrs, std::span<std::uint8_t> info);

 private:
  void update_check(std::size_t row, std::size_t check, std::span<std::int8_t> messages);
  [[nodiscard]] int count_unsatisfied() const;

  int max_iterations_;
  std::array<std::int8_t, kLdpcColumns * kLdpcLift> posteriors_{};
  std::vector<std::int8_t> messages_;  ///< [rows][check][block of the row]
};

}  // namespace wccl::phy
