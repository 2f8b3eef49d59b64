#include "app/room_one_way.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/interrupt.h"
#include "app/progress_line.h"
#include "app/transfer_progress.h"
#include "base/occupant.h"
#include "phy/receiver.h"
#include "room/world.h"
#include "transfer/destination.h"
#include "transfer/one_way_receiver.h"

namespace wccl::app {
namespace {

/// Its screen shows the files; nobody looks at its camera.
class ShowingLaptop final : public Occupant {
 public:
  ShowingLaptop(OneWayFrames frames, int hold) : frames_(std::move(frames)), hold_(hold) {}

  Painting next_frame(Instant /*now*/) override {
    if (refresh_++ % hold_ != 0) {
      return {};
    }
    return [this, frame = frame_++] {
      return std::make_shared<const RgbImage>(frames_.render(frame));
    };
  }
  std::function<void(Instant)> decode(const Capture& /*capture*/) override {
    return [](Instant) {};
  }

 private:
  OneWayFrames frames_;
  std::int64_t hold_;
  std::int64_t refresh_ = 0;
  std::uint64_t frame_ = 0;
};

/// Its camera watches, its screen is dark.
class WatchingLaptop final : public Occupant {
 public:
  /// @param on_arrival  Called after each capture; may be empty.
  WatchingLaptop(transfer::Destination destination,
                 std::function<void(const WatchingLaptop&, Instant)> on_arrival)
      : destination_(std::move(destination)),
        files_(destination_),
        on_arrival_(std::move(on_arrival)) {}

  Painting next_frame(Instant /*now*/) override { return {}; }
  std::function<void(Instant)> decode(const Capture& capture) override {
    auto reception = receiver_.receive(capture.picture, capture.captured_at);
    return [this, reception = std::move(reception)](Instant now) { arrive(reception, now); };
  }

  /// All is in place, or an error says why it never will be.
  [[nodiscard]] bool has_ended() const { return !done_ || *done_; }
  [[nodiscard]] Status status() const {
    return done_ ? Status{} : Status(tl::make_unexpected(done_.error()));
  }
  [[nodiscard]] transfer::OneWayReceiver::Progress progress() const { return files_.progress(); }
  [[nodiscard]] TransferFigures summary() const { return summarize(files_, ended_at_); }

 private:
  void arrive(const phy::CaptureReception& reception, Instant now) {
    if (has_ended()) {
      return;
    }
    done_ = files_.take(reception, now);
    ended_at_ = now;
    if (on_arrival_) {
      on_arrival_(*this, now);
    }
  }

  transfer::Destination destination_;
  transfer::OneWayReceiver files_;
  phy::Receiver receiver_;  ///< Lives on the worker threads; nothing else touches it.
  std::function<void(const WatchingLaptop&, Instant)> on_arrival_;
  Result<bool> done_ = false;
  Instant ended_at_{};
};

class RoomOneWayRun {
 public:
  RoomOneWayRun(const RoomOneWay& options, const Room& room)
      : options_(options), scene_(room.scene), n_receivers_(room.visibility.n_nodes - 1) {}

  Result<TransferFigures> run(transfer::SourceFiles& files) {
    if (auto status = place_laptops(files); !status) {
      return tl::make_unexpected(status.error());
    }
    std::vector<Occupant*> occupants{showing_.get()};
    std::vector<std::function<void()>> programs{[this] { show(); }};
    statuses_.resize(watching_.size());
    for (std::size_t i = 0; i < watching_.size(); ++i) {
      occupants.push_back(watching_[i].get());
      programs.emplace_back([this, i] {
        statuses_[i] = watch(static_cast<int>(i) + 1, *watching_[i]);
        ++n_ended_;
      });
    }
    room::WorldOptions world;
    world.scene = scene_;
    world.seed = options_.seed;
    if (options_.duration_s > 0) {
      world.end = Instant(from_seconds(options_.duration_s));
    }
    world_ = std::make_unique<room::World>(std::move(world), std::move(occupants));
    world_->run(std::move(programs));
    for (const Status& status : statuses_) {
      if (!status) {
        return tl::make_unexpected(status.error());
      }
    }
    return slowest();
  }

 private:
  Status place_laptops(transfer::SourceFiles& files) {
    const auto& panel = scene_.nodes[0].panel;
    auto frames = OneWayFrames::of(files, {panel.width_px, panel.height_px}, options_.frames);
    if (!frames) {
      return tl::make_unexpected(frames.error());
    }
    showing_ = std::make_unique<ShowingLaptop>(*std::move(frames), options_.frames.hold);
    for (int node = 1; node <= n_receivers_; ++node) {
      auto destination = transfer::Destination::open(
          n_receivers_ == 1 ? options_.out : options_.out / fmt::format("laptop-{}", node),
          options_.replace);
      if (!destination) {
        return tl::make_unexpected(destination.error());
      }
      watching_.push_back(std::make_unique<WatchingLaptop>(
          *std::move(destination),
          [this](const WatchingLaptop& laptop, Instant now) { show_progress(laptop, now); }));
    }
    return {};
  }

  /// Of the first receiver that has not ended.
  void show_progress(const WatchingLaptop& laptop, Instant now) {
    const auto first =
        std::ranges::find_if(watching_, [](const auto& each) { return !each->has_ended(); });
    if (first == watching_.end() || first->get() != &laptop) {
      return;
    }
    const auto had = laptop.progress();
    if (had.n_bytes == 0) {
      return;
    }
    progress_.note(had.bytes_had, had.n_bytes, now);
    line_.show([this] { return progress_.text(); });
  }

  void show() {
    // It knows nothing of its receivers; we do, and end with them.
    static_cast<void>(world_->wait(0, [this] { return n_ended_ == n_receivers_; }, Instant::max()));
  }

  Status watch(int node, const WatchingLaptop& laptop) {
    while (true) {
      const auto heard_last = [&] { return laptop.progress().last_symbol; };
      const Instant deadline = heard_last() + options_.timeout;
      const auto ended =
          world_->wait(node, [&] { return laptop.has_ended() || interrupted(); }, deadline);
      if (laptop.has_ended()) {
        return laptop.status();
      }
      if (interrupted()) {
        return fail(ErrorCode::kCancelled, "interrupted");
      }
      if (!ended || heard_last() + options_.timeout <= world_->now()) {
        return too_little(node, laptop, !ended);
      }
    }
  }

  [[nodiscard]] Status too_little(int node, const WatchingLaptop& laptop, bool left) const {
    const auto had = laptop.progress();
    const double share =
        had.n_bytes == 0 ? 0
                         : static_cast<double>(had.bytes_had) / static_cast<double>(had.n_bytes);
    const std::string why =
        left ? fmt::format("the sender left after {:g} s", options_.duration_s)
             : fmt::format("nothing new came for {:g} s", to_seconds(options_.timeout));
    return fail(ErrorCode::kTimeout,
                fmt::format("laptop {} has {:.0f}%: {}; try a --mode with larger cells (`wccl "
                            "modes`) or a larger --hold",
                            node, 100 * share, why));
  }

  [[nodiscard]] TransferFigures slowest() const {
    TransferFigures slowest;
    for (const auto& laptop : watching_) {
      TransferFigures summary = laptop->summary();
      if (summary.end >= slowest.end) {
        slowest = std::move(summary);
      }
    }
    slowest.receivers = n_receivers_;
    return slowest;
  }

  const RoomOneWay& options_;
  const room::Scene& scene_;
  int n_receivers_;
  std::unique_ptr<ShowingLaptop> showing_;
  std::vector<std::unique_ptr<WatchingLaptop>> watching_;
  std::vector<Status> statuses_;
  std::atomic<int> n_ended_{0};
  TransferProgress progress_;
  ProgressLine line_{stderr};
  std::unique_ptr<room::World> world_;
};

}  // namespace

Result<TransferFigures> send_one_way_in_room(const RoomOneWay& options,
                                             const Room& room,
                                             transfer::SourceFiles& files) {
  return RoomOneWayRun(options, room).run(files);
}

}  // namespace wccl::app
