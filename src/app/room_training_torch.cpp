#include <algorithm>
#include <atomic>

#include "app/camera_picture.h"
#include "app/interrupt.h"
#include "app/light_training.h"
#include "app/training.h"
#include "session/room_session.h"

namespace wccl::app {
namespace {

// The world goes on this long after the time is up, for the sync under way.
constexpr Duration kGrace = std::chrono::seconds(10);

class RoomTraining {
 public:
  RoomTraining(const TrainingJob& job, const Room& room)
      : job_(job), session_(session_options(room)), hashes_(room.scene.nodes.size()) {}

  RunSummary run() {
    job_.monitor.set_phase(Phase::kCalibrating, Duration::zero());
    const Status status =
        session_.run([this](session::RankContext& self) { return train_rank(self); },
                     [this](Rank) { note_calibrated(); });
    job_.monitor.sample_network();
    return summarize_run(status);
  }

  [[nodiscard]] const session::RoomSession& session() const { return session_; }

 private:
  session::RoomSessionOptions session_options(const Room& room) {
    const auto limit = from_seconds(job_.settings.max_air_time_s);
    session::RoomSessionOptions options;
    options.scene = room.scene;
    options.mode = phy::find_mode(job_.settings.mode);  // Nothing for "auto".
    options.seed = job_.settings.seed;
    options.timeout = from_seconds(job_.settings.timeout_s);
    options.calibration_deadline = std::min(options.calibration_deadline, limit);
    options.end = Instant(limit + kGrace);
    options.abort = interrupted_twice;
    options.on_tick = [this](Instant now) {
      job_.monitor.set_links(links(now.time_since_epoch()), now.time_since_epoch());
    };
    return options;
  }

  void note_calibrated() {
    if (++n_calibrated_ == session_.n_laptops()) {
      job_.monitor.set_phase(Phase::kTraining, session_.air_time());
    }
  }

  Status train_rank(session::RankContext& self) {
    const auto result = train_by_light(self, job_, [&] { return self.now().time_since_epoch(); });
    if (!result) {
      return tl::make_unexpected(result.error());
    }
    hashes_[static_cast<std::size_t>(self.rank())] = result->weights_sha256;
    return {};
  }

  [[nodiscard]] std::vector<LinkSummary> links(Duration air_time) const {
    std::vector<LinkSummary> links;
    for (Rank to = 0; to < session_.n_laptops(); ++to) {
      for (const auto& stats : session_.laptop(to).stats()) {
        links.push_back(summarize(stats, to, to_seconds(air_time)));
      }
    }
    return links;
  }

  RunSummary summarize_run(const Status& status) {
    RunSummary summary = begin_summary(job_.settings);
    take_history(summary, job_.monitor.history(0));
    summary.air_time_s = to_seconds(job_.monitor.total(0, session_.air_time()));
    summary.links = links(session_.air_time());
    for (Rank rank = 0; rank < session_.n_laptops(); ++rank) {
      summary.bytes_on_air[static_cast<std::size_t>(rank)] = session_.bytes_on_air(rank);
    }
    summary.weights_sha256 = hashes_;
    summary.network_bytes = job_.monitor.network_bytes();
    conclude(summary, job_.settings, status);
    return summary;
  }

  const TrainingJob& job_;
  session::RoomSession session_;
  std::atomic<int> n_calibrated_{0};
  std::vector<std::string> hashes_;
};

}  // namespace

RunSummary train_in_room(const TrainingJob& job, const Room& room) {
  RoomTraining training(job, room);
  RunSummary summary = training.run();
  summary.scene = room.scene.name;
  summary.arrangement = job.settings.arrangement;
  summary.mode = job.settings.mode;
  for (Rank rank = 0; job.folder != nullptr && rank < training.session().n_laptops(); ++rank) {
    keep_camera_picture(*job.folder, rank, training.session().laptop(rank).last_sighting());
  }
  return summary;
}

}  // namespace wccl::app
