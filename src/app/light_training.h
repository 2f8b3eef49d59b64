#pragma once

#include "wccl/result.h"

#include "app/training.h"
#include "session/rank_context.h"

namespace wccl::app {

/// What a rank tells the others at the end, so that every summary is complete.
struct RankReport {
  std::string weights_sha256;
  std::uint64_t bytes_on_air = 0;
};

/// Trains one rank over its link, in the room or on devices.
/// @param elapsed  Time that this part of the run has taken so far.
[[nodiscard]] Result<train::TrainResult> train_by_light(session::RankContext& self,
                                                        const TrainingJob& job,
                                                        const std::function<Duration()>& elapsed);

/// @return the reports of all ranks.
[[nodiscard]] Result<std::vector<RankReport>> exchange_reports(session::RankContext& self,
                                                               const RankReport& own);

}  // namespace wccl::app
