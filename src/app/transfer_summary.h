#pragma once

#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/transfer_figures.h"
#include "base/clock.h"
#include "link/node.h"
#include "session/stage_use.h"

namespace wccl::app {

/// What a two-way transfer came to. All is there when the sender knows it, too; a sender on
/// devices, which cannot know when the first byte came, counts from when all saw one another.
struct TransferSummary : TransferFigures {
  Duration calibrated{};                  ///< All saw one another.
  int hold = 0;                           ///< Refreshes of the sender's last frames.
  double resent_share = 0;                ///< Of the content and heads on the air: had been lost.
  double repeated_share = 0;              ///< Likewise: sent again in blocks that would have idled.
  std::vector<session::StageUse> stages;  ///< On devices.
  std::uint64_t captures_dropped = 0;     ///< That gave way to newer ones.
};

/// How a node has sent, as of now.
void note_link(TransferSummary& summary, const link::Node& node, Instant now);

[[nodiscard]] nlohmann::ordered_json to_json(const TransferSummary& summary);
void print_summary(const TransferSummary& summary, bool json);

}  // namespace wccl::app
