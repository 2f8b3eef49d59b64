#include "train/ballot.h"

#include <bit>
#include <cassert>
#include <cmath>

namespace wccl::train {

void Ballot::write(std::span<float> floats) const {
  assert(floats.size() == kFloats);
  floats[0] = static_cast<float>(loss);
  floats[1] = stop ? 1.0F : 0.0F;
  floats[2] = static_cast<float>(state);
}

Result<Ballot> Ballot::tally(std::span<const float> sum, int world_size) const {
  assert(sum.size() == kFloats);
  const auto n_ranks = static_cast<float>(world_size);
  // Negated, so that a NaN counts as different.
  if (!(sum[2] == n_ranks * static_cast<float>(state))) {
    return fail(
        ErrorCode::kCorrupt,
        "the ranks do not train the same thing: start all with the same options, data and version, "
        "and all of them with --resume or none");
  }
  if (!std::isfinite(sum[0])) {
    return fail(ErrorCode::kCorrupt,
                "the loss is not a number any more: training diverged; lower the learning rate");
  }
  return Ballot{static_cast<double>(sum[0] / n_ranks), sum[1] > 0.0F, state};
}

std::uint32_t state_hash(std::span<const float> weights, std::uint64_t options_hash) {
  // FNV-1a over words (Fowler, Noll, Vo), folded.
  std::uint64_t hash = 0xCBF29CE484222325U ^ options_hash;
  for (const float weight : weights) {
    hash = (hash ^ std::bit_cast<std::uint32_t>(weight)) * 0x100000001B3U;
  }
  hash ^= hash >> 32U;
  return static_cast<std::uint32_t>((hash ^ (hash >> 16U)) & 0xFFFFU);
}

}  // namespace wccl::train
