#include "phy/ldpc_decoder_scalar.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace wccl::phy {
namespace {

std::size_t bit_of(const LdpcBlock& block, std::size_t check) {
  return block.column * kLdpcLift + (check + block.shift) % kLdpcLift;
}

int clamp_posterior(int value) {
  return std::clamp(value, -kMaxPosterior, kMaxPosterior);
}

}  // namespace

void ScalarLdpcDecoder::update_check(std::size_t row,
                                     std::size_t check,
                                     std::span<std::int8_t> messages) {
  const auto blocks = ldpc_row(row);
  std::array<int, kLdpcMostRowBlocks> extrinsic{};
  int smallest = kMaxPosterior;
  int second = kMaxPosterior;
  bool odd = false;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    extrinsic[i] = clamp_posterior(posteriors_[bit_of(blocks[i], check)] - messages[i]);
    const int magnitude = std::abs(extrinsic[i]);
    second = std::min(second, std::max(smallest, magnitude));
    smallest = std::min(smallest, magnitude);
    odd = odd != (extrinsic[i] < 0);
  }
  // Nobody asks for the parity bit of a row beyond the core.
  const std::size_t n_updated = row < kLdpcCoreRows ? blocks.size() : blocks.size() - 1;
  for (std::size_t i = 0; i < n_updated; ++i) {
    const bool is_smallest = std::abs(extrinsic[i]) == smallest;
    const int magnitude =
        std::clamp((is_smallest ? second : smallest) - kMessageOffset, 0, kMaxMessage);
    const int message = odd != (extrinsic[i] < 0) ? -magnitude : magnitude;
    messages[i] = static_cast<std::int8_t>(message);
    posteriors_[bit_of(blocks[i], check)] =
        static_cast<std::int8_t>(clamp_posterior(extrinsic[i] + message));
  }
}

int ScalarLdpcDecoder::count_unsatisfied() const {
  int n_unsatisfied = 0;
  for (std::size_t row = 0; row < kLdpcCoreRows; ++row) {
    for (std::size_t check = 0; check < kLdpcLift; ++check) {
      bool odd = false;
      for (const LdpcBlock& block : ldpc_row(row)) {
        odd = odd != (posteriors_[bit_of(block, check)] < 0);
      }
      n_unsatisfied += odd ? 1 : 0;
    }
  }
  return n_unsatisfied;
}

LdpcResult ScalarLdpcDecoder::decode(std::span<const Llr> llrs, std::span<std::uint8_t> info) {
  assert(info.size() == kLdpcInfoBits);
  const std::size_t n_rows = ldpc_rows(llrs.size());
  load_posteriors(llrs, std::span(posteriors_).first((kLdpcInfoColumns + n_rows) * kLdpcLift));
  messages_.assign(n_rows * kLdpcLift * kLdpcMostRowBlocks, 0);

  const auto update_rows = [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t check = 0; check < kLdpcLift; ++check) {
        const std::size_t first = (row * kLdpcLift + check) * kLdpcMostRowBlocks;
        update_check(row, check, std::span(messages_).subspan(first, kLdpcMostRowBlocks));
      }
    }
  };
  LdpcResult result;
  update_rows(0, kLdpcCoreRows);
  result.unsatisfied_checks = count_unsatisfied();
  while (result.unsatisfied_checks != 0 && result.iterations < max_iterations_) {
    update_rows(kLdpcCoreRows, n_rows);
    update_rows(0, kLdpcCoreRows);
    ++result.iterations;
    result.unsatisfied_checks = count_unsatisfied();
  }
  result.converged = result.unsatisfied_checks == 0;
  for (std::size_t i = 0; i < info.size(); ++i) {
    info[i] = static_cast<std::uint8_t>(posteriors_[i] < 0);
  }
  return result;
}

}  // namespace wccl::phy
