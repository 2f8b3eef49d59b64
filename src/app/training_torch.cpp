#include <utility>

#include "app/interrupt.h"
#include "app/training.h"

namespace wccl::app {

train::TrainOptions trainer_options(const TrainSettings& settings) {
  train::TrainOptions options;
  options.strategy = settings.strategy;
  if (settings.inner_steps) {
    options.inner_steps = *settings.inner_steps;
  }
  options.target_accuracy = settings.target_accuracy;
  options.seed = settings.seed;
  return options;
}

train::TrainOptions trainer_options(const TrainingJob& job, int rank) {
  auto options = trainer_options(job.settings);
  if (job.folder != nullptr) {
    options.run_folder = job.folder->path();
  }
  options.resume = !job.settings.resume.empty();
  options.keeps_record = job.settings.backend != Backend::kRoom || rank == 0;
  return options;
}

void attend(train::Environment& environment,
            const TrainingJob& job,
            std::function<Duration()> elapsed) {
  environment.elapsed = elapsed;
  environment.should_stop = [&job, rank = environment.rank, elapsed = std::move(elapsed)] {
    return interrupted() ||
           job.monitor.total(rank, elapsed()) >= from_seconds(job.settings.max_air_time_s);
  };
  environment.on_progress = [&job](const train::Progress& progress) {
    job.monitor.add_progress(progress);
  };
  environment.on_resume = [&job](const train::Resumption& resumption) {
    job.monitor.resume(resumption);
  };
}

RunSummary begin_summary(const TrainSettings& settings) {
  RunSummary summary;
  summary.backend = to_string(settings.backend);
  summary.strategy = to_string(settings.strategy);
  summary.nodes = settings.nodes;
  summary.seed = settings.seed;
  const auto n_nodes = static_cast<std::size_t>(settings.nodes);
  summary.bytes_on_air.resize(n_nodes);
  summary.weights_sha256.resize(n_nodes);
  return summary;
}

void conclude(RunSummary& summary, const TrainSettings& settings, const Status& status) {
  if (!status) {
    summary.error = status.error().message;
  }
  if (interrupted()) {
    summary.ending = Ending::kInterrupted;
  } else if (!status) {
    // Past its time a room ends under its ranks' feet: then they were too slow to come to a sync.
    summary.ending =
        summary.air_time_s > settings.max_air_time_s ? Ending::kOutOfTime : Ending::kFailed;
  } else {
    summary.ending =
        summary.accuracy >= settings.target_accuracy ? Ending::kTargetReached : Ending::kOutOfTime;
  }
}

}  // namespace wccl::app
