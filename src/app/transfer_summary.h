#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "link/node.h"
#include "session/stage_use.h"

namespace wccl::app {

/// What a transfer came to: printed for people, and as --json (docs/cli.md defines the figures).
struct TransferSummary {
  std::string what;  ///< "photo.jpg (1.00 MB)", "3 files (4.20 MB)".
  std::size_t files = 0;
  std::uint64_t bytes = 0;       ///< Of all files.
  std::uint64_t bytes_came = 0;  ///< By light; the rest was there before.
  int receivers = 1;
  Duration calibrated{};  ///< All times from the cold start.
  /// The first content was whole at the last receiver; a sender on devices, which cannot know,
  /// counts from when all saw one another to when it knows that all is done.
  Duration first_byte{};
  Duration last_byte{};
  Duration end{};             ///< All verified, in place, and the sender knows.
  std::string mode;           ///< Of the sender's frames at the end.
  int hold = 0;               ///< Refreshes of each.
  double resent_share = 0;    ///< Of the content and heads on the air: had been lost before.
  double repeated_share = 0;  ///< Likewise: sent again in blocks that would have been idle.
  std::vector<session::StageUse> stages;  ///< On devices.
  std::uint64_t captures_dropped = 0;     ///< That gave way to newer ones.
};

/// How a node has sent, as of now.
void note_link(TransferSummary& summary, const link::Node& node, Instant now);

/// Verified content bits over the time from the first to the last byte.
[[nodiscard]] double goodput_bps(const TransferSummary& summary);
/// The same over all of the time from the cold start.
[[nodiscard]] double goodput_from_start_bps(const TransferSummary& summary);

[[nodiscard]] nlohmann::ordered_json to_json(const TransferSummary& summary);
/// "sent photo.jpg (1.00 MB) in 1.6 s: 8.90 Mbit/s, ..."
[[nodiscard]] std::string to_text(const TransferSummary& summary);
/// Either, to stdout.
void print_summary(const TransferSummary& summary, bool json);

}  // namespace wccl::app
