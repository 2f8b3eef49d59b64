#include "app/summary.h"

#include <algorithm>
#include <span>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/exit_status.h"
#include "app/stages_json.h"
#include "app/units.h"
#include "phy/mode.h"

namespace wccl::app {
namespace {

nlohmann::ordered_json or_null(const auto& optional) {
  return optional ? nlohmann::ordered_json(*optional) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json to_json(const LinkSummary& link) {
  return {{"from", link.from},
          {"to", link.to},
          {"goodput_bps", link.goodput_bps},
          {"frames", link.frames},
          {"blocks_ok", link.blocks_ok},
          {"blocks_bad", link.blocks_bad},
          {"message_bytes", link.message_bytes},
          {"relocks", link.relocks},
          {"mode", link.mode},
          {"snr_db", link.snr_db},
          {"cell_px", link.cell_px}};
}

std::string stages_line(const RunSummary& summary) {
  std::string text = fmt::format("  {:<10}", "cpu");
  for (const auto& stage : summary.stages) {
    if (stage.cpu != Duration::zero()) {
      text += fmt::format(" {} {:.1f} s", stage.name, to_seconds(stage.cpu));
    }
  }
  return text + fmt::format(", {} captures dropped\n", summary.captures_dropped);
}

std::string headline(const RunSummary& summary) {
  std::string where =
      summary.scene.empty()
          ? fmt::format("{} ranks over {}", summary.nodes, summary.backend)
          : fmt::format("{} laptops in {} ({})", summary.nodes, summary.scene, summary.arrangement);
  return fmt::format(
      "{}, {}, seed {}: {:.2f}% of the test images after {} syncs of {} steps in all\n", where,
      summary.strategy, summary.seed, 100 * summary.accuracy, summary.syncs, summary.steps);
}

std::string times(const RunSummary& summary) {
  std::string text = fmt::format("  {:<10} {:.1f} s", summary.scene.empty() ? "time" : "air time",
                                 summary.air_time_s);
  if (summary.air_time_to_83_s) {
    text += fmt::format(", 83% after {:.1f} s", *summary.air_time_to_83_s);
  }
  if (summary.air_time_to_90_s) {
    text += fmt::format(", 90% after {:.1f} s", *summary.air_time_to_90_s);
  }
  return text + fmt::format("\n  {:<10} {:.1f} s\n", "wall time", summary.wall_s);
}

std::string link_line(const LinkSummary& link) {
  return fmt::format("  {:<10} {}, {} frames, {} blocks ok, {} bad ({:.2f}%), {:.1f} dB, {}\n",
                     fmt::format("link {}>{}", link.from, link.to), bit_rate(link.goodput_bps),
                     link.frames, link.blocks_ok, link.blocks_bad, 100 * error_rate(link),
                     link.snr_db, link.mode);
}

std::string weights_line(const RunSummary& summary) {
  if (weights_equal(summary)) {
    return fmt::format("  {:<10} equal on all ranks, SHA-256 {}...\n", "weights",
                       summary.weights_sha256.front().substr(0, 16));
  }
  return fmt::format("  {:<10} differ between ranks, or a rank did not finish\n", "weights");
}

}  // namespace

LinkSummary summarize(const link::LinkStats& stats, int to, double air_time_s) {
  LinkSummary link;
  link.from = stats.peer;
  link.to = to;
  if (air_time_s > 0) {
    link.goodput_bps = 8.0 * static_cast<double>(stats.message_bytes) / air_time_s;
  }
  link.frames = stats.frames;
  link.blocks_ok = stats.blocks_ok;
  link.blocks_bad = stats.blocks_bad;
  link.message_bytes = stats.message_bytes;
  link.relocks = stats.relocks;
  if (const auto* mode = phy::find_mode(stats.mode)) {
    link.mode = mode->name;
  }
  link.snr_db = *std::ranges::max_element(stats.quality.snr_db);
  link.cell_px = stats.quality.cell_px;
  return link;
}

double error_rate(const LinkSummary& link) {
  const auto blocks = link.blocks_ok + link.blocks_bad;
  return blocks == 0 ? 0.0 : static_cast<double>(link.blocks_bad) / static_cast<double>(blocks);
}

void take_history(RunSummary& summary, const std::vector<train::Progress>& history) {
  if (history.empty()) {
    return;
  }
  summary.accuracy = history.back().accuracy;
  summary.syncs = history.back().syncs;
  summary.steps = history.back().steps;
  const auto first_time = [&](double accuracy) -> std::optional<double> {
    const auto found =
        std::find_if(history.begin(), history.end(),
                     [&](const train::Progress& entry) { return entry.accuracy >= accuracy; });
    if (found == history.end()) {
      return std::nullopt;
    }
    return to_seconds(found->elapsed);
  };
  summary.air_time_to_83_s = first_time(0.83);
  summary.air_time_to_90_s = first_time(0.90);
}

bool weights_equal(const RunSummary& summary) {
  const auto& hashes = summary.weights_sha256;
  return !hashes.empty() && !hashes.front().empty() &&
         std::all_of(hashes.begin(), hashes.end(),
                     [&](const std::string& hash) { return hash == hashes.front(); });
}

std::string to_string(Ending ending) {
  switch (ending) {
    case Ending::kTargetReached:
      return "target_reached";
    case Ending::kOutOfTime:
      return "out_of_time";
    case Ending::kInterrupted:
      return "interrupted";
    case Ending::kFailed:
      return "failed";
  }
  return "";
}

nlohmann::ordered_json to_json(const RunSummary& summary) {
  auto links = nlohmann::ordered_json::array();
  for (const auto& link : summary.links) {
    links.push_back(to_json(link));
  }
  return {{"accuracy", summary.accuracy},
          {"air_time_s", summary.air_time_s},
          {"air_time_to_83_s", or_null(summary.air_time_to_83_s)},
          {"air_time_to_90_s", or_null(summary.air_time_to_90_s)},
          {"wall_s", summary.wall_s},
          {"syncs", summary.syncs},
          {"steps", summary.steps},
          {"resumed_at_sync", or_null(summary.resumed_at_sync)},
          {"bytes_on_air", summary.bytes_on_air},
          {"network_bytes", or_null(summary.network_bytes)},
          {"weights_sha256", summary.weights_sha256},
          {"seed", summary.seed},
          {"links", links},
          {"stages", to_json(std::span(summary.stages))},
          {"captures_dropped", summary.captures_dropped},
          {"nodes", summary.nodes},
          {"backend", summary.backend},
          {"strategy", summary.strategy},
          {"scene", summary.scene},
          {"arrangement", summary.arrangement},
          {"mode", summary.mode},
          {"ending", to_string(summary.ending)},
          {"error", summary.error.empty() ? nlohmann::ordered_json(nullptr)
                                          : nlohmann::ordered_json(summary.error)}};
}

std::string to_text(const RunSummary& summary) {
  std::string text = headline(summary) + times(summary);
  for (const auto& link : summary.links) {
    text += link_line(link);
  }
  text += summary.network_bytes
              ? fmt::format("  {:<10} {} bytes\n", "network", *summary.network_bytes)
              : fmt::format("  {:<10} not countable on this system\n", "network");
  if (!summary.stages.empty()) {
    text += stages_line(summary);
  }
  return text + weights_line(summary);
}

int exit_status(const RunSummary& summary) {
  switch (summary.ending) {
    case Ending::kTargetReached:
      return weights_equal(summary) ? kExitOk : kExitError;
    case Ending::kOutOfTime:
      return kExitTargetMissed;
    case Ending::kInterrupted:
      return kExitInterrupted;
    case Ending::kFailed:
      return kExitError;
  }
  return kExitError;
}

}  // namespace wccl::app
