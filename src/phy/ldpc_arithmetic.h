#pragma once

#include <algorithm>
#include <cstdint>

#include "phy/llr.h"
#include "phy/mode.h"

namespace wccl::phy {

/// The decoders' numbers, in eight bits without saturating instructions: |posterior| + |message| <=
/// 126, so no sum or difference of the two overflows before it is clamped. Posteriors need three
/// times the range of messages: a bit in eleven checks that saturates below the sum of its messages
/// turns over when two of them do.
inline constexpr int kMaxMessage = 31;
inline constexpr int kMaxPosterior = 95;
/// Below kMaxMessage: else the two checks of a parity bit (columns of degree 2) cannot outvote a
/// channel that is sure and wrong, and one block in 10^4 fails however good the rest of it is.
inline constexpr int kMaxChannel = 24;

/// Outcome of a decoding.
struct LdpcResult {
  bool converged = false;  ///< All parity checks hold.
  int iterations = 0;
  int unsatisfied_checks = 0;  ///< At the end. A handful: most likely only parity bits are wrong.
};

/// A channel LLR in the decoders' unit of 1/3 nat, limited; never 0 unless it was (a weak opinion
/// is no erasure).
[[nodiscard]] constexpr std::int8_t to_posterior(Llr llr) {
  const int magnitude = std::min(((llr < 0 ? -llr : +llr) * 3 + 5) / 8, kMaxChannel);
  return static_cast<std::int8_t>(llr < 0 ? -magnitude : magnitude);
}

/// Min-sum overestimates, the more the longer the checks are (Chen and Fossorier 2002). normalise()
/// keeps 13/16 for rate 1/2, whose checks meet 7 or 8 bits, and 3/4 for the others (11 to 20 bits).
[[nodiscard]] constexpr int normalisation_shift(CodeRate rate) {
  return rate == CodeRate::k1_2 ? 1 : 0;
}

/// @param magnitude  A number or a vector of unsigned lanes, at most kMaxPosterior.
template <class Magnitude>
[[nodiscard]] constexpr Magnitude normalise(Magnitude magnitude, int shift) {
  return magnitude - ((magnitude + (magnitude >> shift) + 3) >> 3);
}

}  // namespace wccl::phy
