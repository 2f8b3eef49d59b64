#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "train/algorithm.h"
#include "train/peers.h"
#include "train/rank_state.h"

namespace wccl::train {

/// Where the ranks go on from.
struct MeetingPoint {
  /// What is shared is equal on all ranks. Its progress names the rank that kept it: when that is
  /// another one, this rank's own part starts anew.
  RankState state;
  std::vector<std::string> notes;  ///< For people: which rank takes over from which.
};

/// All ranks agree on the newest sync of which each one that kept anything has the state. When
/// there is none, it is the newest of all. Ranks without it get what is shared from the lowest rank
/// that has it; what is a rank's own then starts anew.
///
/// One all-reduce of the size of a sync, so that a rank which trains already, for it was not told
/// to resume, is found out; and a broadcast when somebody has to be given the state.
/// @param kept      States of this rank, at most two.
/// @param layout    Of the strategy; equal on all ranks.
/// @param run_hash  hash_run(); ranks that differ get kInvalidArgument.
/// @return nothing when no rank has a state; kCorrupt when ranks have different states of one sync:
/// their folders are of different runs.
[[nodiscard]] Result<std::optional<MeetingPoint>> agree_on_state(const std::vector<RankState>& kept,
                                                                 std::span<const MemoryPart> layout,
                                                                 int inner_steps,
                                                                 std::uint64_t run_hash,
                                                                 Peers& peers);

}  // namespace wccl::train
