#pragma once

#include <functional>

#include "app/room_setup.h"
#include "app/run_folder.h"
#include "app/run_monitor.h"
#include "app/summary.h"
#include "app/train_settings.h"
#include "base/clock.h"
#include "train/dataset.h"
#include "train/trainer.h"

namespace wccl::session {
struct OpenDevices;
}

namespace wccl::app {

/// What a training run has to work with, all checked before.
struct TrainingJob {
  const TrainSettings& settings;
  const train::Mnist& data;
  const RunFolder* folder = nullptr;  ///< Null: this rank leaves nothing.
  RunMonitor& monitor;
  session::OpenDevices* devices = nullptr;  ///< With Backend::kLight; taken over by the run.
};

/// All ranks in this process, talking by light. Fills all of a summary but wall_s.
[[nodiscard]] RunSummary train_in_room(const TrainingJob& job, const Room& room);

/// One rank, on a real screen and camera. Fills all of a summary but wall_s; the weights' hashes of
/// the others are what they say.
[[nodiscard]] RunSummary train_on_devices(const TrainingJob& job);

/// One rank of a job over TCP. The summary holds what all ranks report, on every rank.
[[nodiscard]] RunSummary train_over_gloo(const TrainingJob& job);

/// What the settings ask of the trainer, but for the run folder.
[[nodiscard]] train::TrainOptions trainer_options(const TrainSettings& settings);
/// @param rank  In the room all ranks share a folder, and the first keeps the record of the run.
[[nodiscard]] train::TrainOptions trainer_options(const TrainingJob& job, int rank);
/// What every way of training has alike: the clock, when to stop, whom to tell. The environment has
/// its rank already.
/// @param elapsed  Time since this process began; what a resumed run had taken before is added.
void attend(train::Environment& environment,
            const TrainingJob& job,
            std::function<Duration()> elapsed);

/// Fills in what the settings say of the run.
[[nodiscard]] RunSummary begin_summary(const TrainSettings& settings);

/// Decides how a run ended, from its status, target and Ctrl-C.
void conclude(RunSummary& summary, const TrainSettings& settings, const Status& status);

}  // namespace wccl::app
