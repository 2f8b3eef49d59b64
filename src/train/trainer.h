#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "train/dataset.h"

namespace c10d {
class Backend;
}

namespace wccl::train {

enum class Strategy : std::uint8_t { kParameterServer, kDataParallel, kDiloco };

/// Stands for the measured default of the chosen strategy; with_defaults() puts it in place.
inline constexpr int kStrategyDefault = 0;

struct TrainOptions {
  Strategy strategy = Strategy::kDiloco;
  int inner_steps = kStrategyDefault;  ///< H: local steps between two syncs.
  int batch_size = kStrategyDefault;   ///< Pictures a step on each rank.
  double inner_lr = kStrategyDefault;  ///< Of the first round; docs/training.md has the schedule.
  double outer_lr = 1.0;               ///< kDiloco: 1 with momentum 0 is plain averaging.
  double outer_momentum = 0.0;         ///< kDiloco: Nesterov's, from 0 to below 1.
  int max_syncs = 200;
  double target_accuracy = 0.9;  ///< Of the test images; training ends when it is reached.
  std::uint64_t seed = 1;
  /// Where this rank keeps its state, to go on from, and its record: metrics.jsonl and the
  /// checkpoint. Empty: nowhere.
  std::filesystem::path run_folder;
  bool keeps_record = true;  ///< False for ranks that share a folder with the one that keeps it.
  /// Go on from what the ranks have kept in their run folders (docs/training.md). All ranks or
  /// none.
  bool resume = false;
};

/// @return `options` with the strategy's defaults in place of kStrategyDefault: what a run really
/// uses.
[[nodiscard]] TrainOptions with_defaults(TrainOptions options);

/// What compute costs in the room's virtual time (docs/training.md): a stated model and not a
/// stopwatch, so that results do not depend on the machine. The defaults are about those of one
/// busy laptop core.
struct CostModel {
  double flops_per_second = 2e9;
  Duration per_step = std::chrono::microseconds(100);  ///< Optimiser and batch loading.

  [[nodiscard]] Duration step(int batch_size) const;
  [[nodiscard]] Duration evaluation(int n_images) const;
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

/// Where a resumed run goes on.
struct Resumption {
  int rank = 0;
  int syncs = 0;                   ///< 0: nobody had kept anything, and the run begins anew.
  Duration elapsed{};              ///< What the run had taken by then.
  std::vector<Progress> history;   ///< Up to that sync; of a rank that is new, that sync alone.
  std::vector<std::string> notes;  ///< For people: damaged files, ranks that take over from others.
};

/// What the trainer needs to know of the world it runs in. It never learns what carries its
/// tensors.
struct Environment {
  ::c10d::Backend* backend = nullptr;  ///< Borrowed.
  int rank = 0;
  int world_size = 1;
  /// Time since the cold start: air time in the room, wall time elsewhere. Of a resumed run,
  /// without what it had taken before; the trainer adds that.
  std::function<Duration()> elapsed;
  /// Charges the stated cost of compute (docs/training.md); does nothing outside the room.
  std::function<Status(Duration)> charge;
  /// Ask the others to stop at the next sync (time is up, the user pressed Ctrl-C). Asked once a
  /// round; the answer rides in the sync, so that all ranks leave after the same one.
  std::function<bool()> should_stop;
  std::function<void(const Progress&)> on_progress;
  /// Called once, before the first round, when the options ask to resume.
  std::function<void(const Resumption&)> on_resume;
  CostModel cost{};
};

struct TrainResult {
  double accuracy = 0;
  int syncs = 0;
  std::int64_t steps = 0;
  std::string weights_sha256;
  std::vector<Progress> history;  ///< One entry a sync.
};

/// Trains one rank to its end; every rank calls it with the same options and data. All ranks leave
/// after the same sync, with the same weights.
/// @return kInvalidArgument or kIo before any work; kPeerLost with what the backend says when a
/// collective
///         fails; what `charge` says when it fails. The run folder then holds all syncs up to that
///         point. With `resume` also what judge_resume() says, and kCorrupt when the ranks' states
///         are of different runs.
[[nodiscard]] Result<TrainResult> train(const TrainOptions& options,
                                        const Mnist& data,
                                        const Environment& environment);

/// Whether a rank can go on from what is in its run folder, without asking the others. A folder
/// with nothing in it is fine: another rank may have it.
/// @return kInvalidArgument naming the option in which the run in the folder differs; kCorrupt when
/// nothing of what is there can be read.
[[nodiscard]] Status judge_resume(const TrainOptions& options, const Mnist& data, int rank);

}  // namespace wccl::train
