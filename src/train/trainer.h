#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "train/dataset.h"
#include "wccl/result.h"

namespace c10d {
class Backend;
}

namespace wccl::train {

enum class Strategy : std::uint8_t { kParameterServer, kDataParallel, kDiloco };

struct TrainOptions {
  Strategy strategy = Strategy::kDiloco;
  int inner_steps = 50;           ///< H: local steps between two syncs (kDiloco).
  int batch_size = 32;
  int max_syncs = 200;
  double target_accuracy = 0.9;   ///< Of the test images; training ends when it is reached.
  std::uint64_t seed = 1;
  std::filesystem::path run_folder;  ///< Where rank 0 puts metrics.jsonl and the checkpoint; empty: nowhere.
};

/// State of one rank after a sync: what a display or log shows.
struct Progress {
  int rank = 0;
  int syncs = 0;
  std::int64_t steps = 0;
  double loss = 0;      ///< Mean of the inner steps since the last sync.
  double accuracy = 0;  ///< Of all test images, 0 to 1.
  Duration elapsed{};
};

/// What the trainer needs to know of the world it runs in. It never learns what carries its tensors.
struct Environment {
  c10d::Backend* backend = nullptr;  ///< Borrowed.
  int rank = 0;
  int world_size = 1;
  /// Time since the cold start: air time in the room, wall time elsewhere.
  std::function<Duration()> elapsed;
  /// Charges the stated cost of compute (docs/training.md); does nothing outside the room.
  std::function<Status(Duration)> charge;
  /// Ask the others to stop at the next sync (time is up, the user pressed Ctrl-C).
  std::function<bool()> should_stop;
  std::function<void(const Progress&)> on_progress;
};

struct TrainResult {
  double accuracy = 0;
  int syncs = 0;
  std::int64_t steps = 0;
  std::string weights_sha256;
  std::vector<Progress> history;  ///< One entry a sync.
};

/// Trains one rank to its end; every rank calls it with the same options.
[[nodiscard]] Result<TrainResult> train(const TrainOptions& options, const Mnist& data, const Environment& environment);

}  // namespace wccl::train
