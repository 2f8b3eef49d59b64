#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "phy/ldpc_code.h"
#include "phy/llr.h"

namespace wccl::phy {

/// The decoders' numbers, in eight bits without saturating instructions: |posterior| + |message| <=
/// 126, so no sum or difference of the two overflows before it is clamped. Posteriors need three
/// times the range of messages and more: a bit in thirty checks that saturates below the sum of its
/// messages turns over when a few of them do, and the block is lost whatever the channel.
inline constexpr int kMaxMessage = 27;
inline constexpr int kMaxPosterior = 99;
/// Below kMaxMessage: else a check could not outvote a channel that is sure and wrong.
inline constexpr int kMaxChannel = 25;

/// Outcome of a decoding.
struct LdpcResult {
  bool converged = false;  ///< All checks of the core hold.
  int iterations = 0;      ///< After a first look at the core alone.
  int unsatisfied_checks =
      0;  ///< Of the core, at the end. A handful: perhaps only parity is wrong.
};

/// A channel LLR in the decoders' unit of 2/7 nat, limited; never 0 unless it was (a weak opinion
/// is no erasure).
[[nodiscard]] constexpr std::int8_t to_posterior(Llr llr) {
  const int magnitude = std::min(((llr < 0 ? -llr : +llr) * 7 + 8) / 16, kMaxChannel);
  return static_cast<std::int8_t>(llr < 0 ? -magnitude : magnitude);
}

/// What the channel says of the columns of a codeword: nothing of the punctured ones, nor of bits
/// that were not sent; of bits that were sent twice, the sum.
/// @param posteriors  Of the first columns.
inline void load_posteriors(std::span<const Llr> llrs, std::span<std::int8_t> posteriors) {
  std::fill(posteriors.begin(), posteriors.end(), std::int8_t{0});
  const auto sent = posteriors.subspan(kLdpcPuncturedColumns * kLdpcLift);
  const std::size_t n_once = std::min(llrs.size(), kLdpcBufferBits);
  std::transform(llrs.begin(), llrs.begin() + static_cast<std::ptrdiff_t>(n_once), sent.begin(),
                 to_posterior);
  for (std::size_t i = n_once; i < llrs.size(); ++i) {
    std::int8_t& sum = sent[i % kLdpcBufferBits];
    sum = static_cast<std::int8_t>(
        std::clamp(sum + to_posterior(llrs[i]), -kMaxChannel, +kMaxChannel));
  }
}

/// Min-sum overestimates: what it finds is made smaller by this much (Chen and Fossorier 2002),
/// 0.57 nat. A factor instead, as short checks of 802.11n like it, costs 0.5 dB at rate 1/3.
inline constexpr int kMessageOffset = 2;

}  // namespace wccl::phy
