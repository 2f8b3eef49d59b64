#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "train/algorithm.h"
#include "train/run_identity.h"
#include "train/trainer.h"

namespace wccl::train {

/// All that a rank needs to go on after a sync. The batches are not in it: they follow from the
/// seed and the count of steps.
struct RankState {
  Progress progress;  ///< After the sync; its rank is the one that kept the state.
  std::vector<float> weights;
  std::map<std::string, std::vector<float>> memory;  ///< Of the strategy, by MemoryPart::name.
};

/// @param memory  Of the strategy; values are copied.
[[nodiscard]] RankState take_state(const Progress& progress,
                                   std::span<const float> weights,
                                   std::span<const MemoryPart> memory);

/// Writes the state back into a strategy's memory. What is one rank's own goes back to that rank
/// only.
/// @param rank  Of the strategy that the memory is of.
void put_back(const RankState& state, std::span<const MemoryPart> memory, int rank);

/// @return whether the state has all parts of the memory that put_back() will ask it for.
[[nodiscard]] bool fits(const RankState& state, std::span<const MemoryPart> memory, int rank);

/// One safetensors file with PyTorch's names, the identity of the run, and a SHA-256 over all.
[[nodiscard]] Status write_state(const std::filesystem::path& path,
                                 const RankState& state,
                                 const RunIdentity& identity);

/// @return kNotFound; kCorrupt when a bit of the file is not as it was written, or another program
/// wrote it; kInvalidArgument naming the first option in which the run differs from `identity`.
[[nodiscard]] Result<RankState> read_state(const std::filesystem::path& path,
                                           const RunIdentity& identity);

}  // namespace wccl::train
