#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "train/rank_state.h"

namespace wccl::train {

/// The states of a rank in its run folder: that of the last sync and that of the one before.
///
/// Two, because ranks that lose one another may be one sync apart, and never more: a rank adds its
/// part to the next sync only when its state of the last one is on the disk.
class StateStore {
 public:
  /// @param folder  Empty: nothing is kept.
  StateStore(std::filesystem::path folder, int rank, RunIdentity identity);

  /// Puts the state beside the one before, in the place of an older one.
  Status save(const RankState& state) const;

  struct Kept {
    std::vector<RankState> states;   ///< Newest first; at most two.
    std::vector<std::string> notes;  ///< For people: what was passed over, and why.
  };
  /// What is there to go on from: this rank's own states, or else, where it has none, those of
  /// other ranks in the folder, of which it can use what is shared.
  /// @return kInvalidArgument naming the option in which the run in the folder differs; kCorrupt
  /// when there are states and none can be read.
  [[nodiscard]] Result<Kept> load() const;

  /// Takes away what is newer than `syncs`, or damaged: the run takes another way from there.
  Status forget_after(int syncs) const;

 private:
  /// Of any rank; newest first.
  [[nodiscard]] std::array<std::filesystem::path, 2> paths(int rank) const;
  [[nodiscard]] Result<Kept> load_of(int rank) const;

  std::filesystem::path folder_;
  int rank_;
  RunIdentity identity_;
};

}  // namespace wccl::train
