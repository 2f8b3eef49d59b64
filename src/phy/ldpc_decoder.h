#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "phy/ldpc_arithmetic.h"
#include "phy/ldpc_code.h"
#include "phy/llr.h"

namespace wccl::phy {

/// Layered offset min-sum (Mansour and Shanbhag 2003; Hocevar 2004; Chen and Fossorier 2002) on
/// eight-bit numbers, 32 checks of a row of the matrix at a time. Stops as soon as all checks of
/// the core hold. One object per thread: it is its own scratch.
class LdpcDecoder {
 public:
  explicit LdpcDecoder(int max_iterations = 20) : max_iterations_(max_iterations) {}

  /// @param llrs  Of the bits that ldpc_encode() made; positive means bit 0; 0 is an erasure.
  /// @param info  [kLdpcInfoBits], the decoder's opinion, one bit an element; also written when the
  ///              decoding has not converged.
  LdpcResult decode(std::span<const Llr> llrs, std::span<std::uint8_t> info);

 private:
  struct Plan;
  static constexpr std::size_t kLanes = 32;
  static constexpr std::size_t kVectors = kLdpcLift / kLanes;
  /// Of the matrix, the parity columns of the rows beyond the core left out.
  static constexpr std::size_t kMaxBlocks = 316 - (kLdpcRows - kLdpcCoreRows);

  static const Plan& plan_of(std::size_t n_rows);
  void load(const Plan& plan, std::span<const Llr> llrs);
  void update_row(const Plan& plan, std::size_t row);
  [[nodiscard]] auto parity_of_row(const Plan& plan, std::size_t row) const;
  [[nodiscard]] bool core_checks_hold(const Plan& plan) const;
  [[nodiscard]] int count_unsatisfied(const Plan& plan) const;
  void store(const Plan& plan, std::span<std::uint8_t> info) const;

  int max_iterations_;
  /// A column's posteriors, turned as its latest row needed them, and once more behind, so that
  /// every rotation is one unaligned load.
  alignas(kLanes) std::array<std::array<std::int8_t, 2 * kLdpcLift>, kLdpcColumns> posteriors_{};
  alignas(kLanes) std::array<std::array<std::int8_t, kLdpcLift>, kMaxBlocks> messages_{};
};

}  // namespace wccl::phy
