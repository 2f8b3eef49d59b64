#include "app/calibration_line.h"
#include "app/camera_picture.h"
#include "app/device_options.h"
#include "app/interrupt.h"
#include "app/light_training.h"
#include "app/print.h"
#include "app/training.h"
#include "session/device_session.h"

namespace wccl::app {
namespace {

class DeviceTraining {
 public:
  explicit DeviceTraining(const TrainingJob& job) : job_(job) {}

  RunSummary run() {
    RunSummary summary = begin_summary(job_.settings);
    const Status status = run_session(summary);
    take_history(summary, job_.monitor.history(rank_));
    summary.air_time_s = to_seconds(job_.monitor.total(rank_, elapsed()));
    summary.links = links();
    summary.stages = session_->use();
    summary.captures_dropped = session_->camera().counts().dropped;
    if (job_.folder != nullptr) {
      keep_camera_picture(*job_.folder, rank_, session_->laptop().last_sighting());
    }
    summary.mode = job_.settings.mode;
    summary.network_bytes = job_.monitor.network_bytes();
    conclude(summary, job_.settings, status);
    if (!status && status.error().code == ErrorCode::kCancelled) {
      summary.ending = Ending::kInterrupted;  // Esc, as good as Ctrl-C.
    }
    return summary;
  }

 private:
  Status run_session(RunSummary& summary) {
    auto options = session_options("train", job_.settings.devices);
    options.activity = link::Activity::kTrain;
    options.world_size = job_.settings.nodes;
    options.rank = job_.settings.rank;
    options.timeout = from_seconds(job_.settings.timeout_s);
    options.mode = phy::find_mode(job_.settings.mode);  // Nothing for "auto".
    CalibrationLine calibration("train", options.identity, options.world_size);
    options.on_search = [&] { calibration.show(*session_); };
    options.abort = [this] { return calibrated_at_ ? interrupted_twice() : interrupted(); };
    options.on_warning = [](const std::string& warning) {
      app::print(stderr, "wccl train: {}\n", warning);
    };
    options.on_tick = [this](Instant) { job_.monitor.set_links(links(), elapsed()); };
    session_ =
        std::make_unique<session::DeviceSession>(std::move(*job_.devices), std::move(options));
    for (const auto& warning : session_->camera().warnings()) {
      app::print(stderr, "wccl train: {}: {}\n", session_->camera().name(), warning);
    }
    job_.monitor.set_phase(Phase::kCalibrating, elapsed());
    return session_->run([&](session::RankContext& self) { return train_rank(self, summary); },
                         [&](Rank rank) {
                           calibration.end();
                           note_calibrated(rank);
                         });
  }

  void note_calibrated(Rank rank) {
    rank_ = rank;
    calibrated_at_ = session_->air_time();
    job_.monitor.show_rank(rank);
    job_.monitor.set_phase(Phase::kTraining, elapsed());
  }

  Status train_rank(session::RankContext& self, RunSummary& summary) {
    const auto result = train_by_light(self, job_, [this] { return elapsed(); });
    if (!result) {
      return tl::make_unexpected(result.error());
    }
    RankReport own{result->weights_sha256, 0};
    self.visit([&](link::Node& node) { own.bytes_on_air = node.bytes_on_air(); });
    const auto reports = exchange_reports(self, own);
    if (!reports) {
      return tl::make_unexpected(reports.error());
    }
    for (std::size_t rank = 0; rank < reports->size(); ++rank) {
      summary.weights_sha256[rank] = (*reports)[rank].weights_sha256;
      summary.bytes_on_air[rank] = (*reports)[rank].bytes_on_air;
    }
    return {};
  }

  /// Since all saw one another: before, people were aiming.
  [[nodiscard]] Duration elapsed() const {
    return calibrated_at_ ? session_->air_time() - *calibrated_at_ : Duration();
  }

  [[nodiscard]] std::vector<LinkSummary> links() const {
    std::vector<LinkSummary> links;
    for (const auto& stats : session_->laptop().stats()) {
      links.push_back(summarize(stats, rank_, to_seconds(elapsed())));
    }
    return links;
  }

  const TrainingJob& job_;
  std::unique_ptr<session::DeviceSession> session_;
  Rank rank_ = 0;
  std::optional<Duration> calibrated_at_;
};

}  // namespace

RunSummary train_on_devices(const TrainingJob& job) {
  return DeviceTraining(job).run();
}

}  // namespace wccl::app
