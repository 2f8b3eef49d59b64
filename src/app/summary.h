#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "link/node.h"
#include "session/stage_use.h"
#include "train/trainer.h"

namespace wccl::app {

/// One direction of light: what `to` received from `from`. docs/measurement.md defines the figures.
struct LinkSummary {
  int from = 0;
  int to = 0;
  double goodput_bps = 0;  ///< Verified message bits over the air time of the whole run.
  std::uint64_t frames = 0;
  std::uint64_t blocks_ok = 0;
  std::uint64_t blocks_bad = 0;
  std::uint64_t message_bytes = 0;
  std::uint64_t relocks = 0;
  std::string mode{};  ///< Of the latest frame.
  double snr_db = 0;   ///< Best channel (luma, or green), latest capture.
  double cell_px = 0;  ///< Side of a cell in camera pixels.
};

[[nodiscard]] LinkSummary summarize(const link::LinkStats& stats, int to, double air_time_s);
/// Share of blocks that failed; 0 before the first block.
[[nodiscard]] double error_rate(const LinkSummary& link);

/// Why a training run ended.
enum class Ending : std::uint8_t { kTargetReached, kOutOfTime, kInterrupted, kFailed };

/// What a run has come to: printed for people, as --json, and kept as summary.json.
struct RunSummary {
  // What was asked for
  std::string backend;
  std::string strategy;
  std::string scene;        ///< Empty without a room.
  std::string arrangement;  ///< Empty without a room.
  std::string mode;         ///< Of the optical link; empty without a room.
  int nodes = 0;
  std::uint64_t seed = 0;
  // What came of it
  Ending ending = Ending::kFailed;
  std::string error;  ///< With kFailed.
  double accuracy = 0;
  double air_time_s = 0;  ///< From the cold start; wall time where there is no room.
  std::optional<double> air_time_to_83_s;
  std::optional<double> air_time_to_90_s;
  double wall_s = 0;
  int syncs = 0;
  std::int64_t steps = 0;
  std::optional<int> resumed_at_sync;          ///< Bytes, links and wall_s are since then.
  std::vector<std::uint64_t> bytes_on_air;     ///< [nodes]
  std::optional<std::uint64_t> network_bytes;  ///< Nothing where the system can't count.
  std::vector<std::string> weights_sha256;     ///< [nodes], empty strings for ranks that failed.
  std::vector<LinkSummary> links;
  // On devices only
  std::vector<session::StageUse> stages;
  std::uint64_t captures_dropped = 0;  ///< By the camera's thread, for newer ones.
};

/// Fills accuracy, syncs, steps and the two times from what a rank went through.
void take_history(RunSummary& summary, const std::vector<train::Progress>& history);

[[nodiscard]] bool weights_equal(const RunSummary& summary);
[[nodiscard]] std::string to_string(Ending ending);
[[nodiscard]] nlohmann::ordered_json to_json(const RunSummary& summary);
/// A few lines for people, the last one ending in a newline.
[[nodiscard]] std::string to_text(const RunSummary& summary);
/// The exit status that this ending deserves.
[[nodiscard]] int exit_status(const RunSummary& summary);

}  // namespace wccl::app
