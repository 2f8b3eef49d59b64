#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "wccl/result.h"

namespace wccl::train {

/// What rides behind the numbers of a sync, as three more floats, so that agreeing costs no round
/// trip.
struct Ballot {
  static constexpr std::size_t kFloats = 3;

  double loss = 0;          ///< Mean of the round; of all ranks once tallied.
  bool stop = false;        ///< This rank wants to stop; once tallied, some rank does.
  std::uint32_t state = 0;  ///< state_hash() of what must be equal on all ranks.

  void write(std::span<float> floats) const;

  /// Reads the sum of all ranks' ballots.
  /// @return kCorrupt when the ranks' states differ or their training has diverged.
  [[nodiscard]] Result<Ballot> tally(std::span<const float> sum, int world_size) const;
};

/// 16 bits of a hash of the weights that a round began with and of the options: small enough that
/// the sum over 256 ranks is exact in a float.
[[nodiscard]] std::uint32_t state_hash(std::span<const float> weights, std::uint64_t options_hash);

}  // namespace wccl::train
