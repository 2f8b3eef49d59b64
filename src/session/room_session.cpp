#include "session/room_session.h"

#include <string>
#include <utility>

#include <fmt/core.h>

#include "base/rng.h"
#include "session/farewell.h"

namespace wccl::session {
namespace {

// Streams of the session's seed; the room draws its own.
constexpr std::uint64_t kEpochStream = 0x0e90c4;

link::NodeOptions node_options(const RoomSessionOptions& options, Rank rank) {
  link::NodeOptions node;
  node.rank = rank;
  node.world_size = static_cast<int>(options.scene.nodes.size());
  const auto& panel = options.scene.nodes[static_cast<std::size_t>(rank)].panel;
  node.panel = {panel.width_px, panel.height_px};
  node.refresh = from_seconds(1.0 / panel.refresh_hz);
  node.mode = options.mode;
  Rng epochs = Rng(options.seed).split(kEpochStream + static_cast<std::uint64_t>(rank));
  node.epoch = static_cast<std::uint16_t>(epochs.below(0x10000));
  return node;
}

}  // namespace

RoomRank::RoomRank(room::World& world, link::Node& node, const RoomSessionOptions& options)
    : world_(world), node_(node), options_(options), transport_(node, *this, options.timeout) {}

Instant RoomRank::now() {
  return world_.now();
}
Status RoomRank::charge(Duration duration) {
  return world_.charge(rank(), duration);
}

Result<bool> RoomRank::wait(const std::function<bool()>& ready, Instant deadline) {
  bool aborted = false;
  auto done = world_.wait(
      rank(),
      [&] {
        aborted = options_.abort && options_.abort();
        return aborted || (ready && ready());
      },
      deadline);
  if (done && aborted) {
    return fail(ErrorCode::kCancelled, "interrupted");
  }
  return done;
}

RoomSession::RoomSession(RoomSessionOptions options) : options_(std::move(options)) {
  const int n = static_cast<int>(options_.scene.nodes.size());
  std::vector<Occupant*> occupants;
  for (Rank rank = 0; rank < n; ++rank) {
    laptops_.push_back(
        std::make_unique<Laptop>(node_options(options_, rank), LaptopWatch{{}, options_.on_tick}));
    occupants.push_back(laptops_.back().get());
  }
  room::WorldOptions world;
  world.scene = options_.scene;
  world.changes = options_.changes;
  world.seed = options_.seed;
  world.n_threads = options_.n_threads;
  world.end = options_.end;
  world_ = std::make_unique<room::World>(std::move(world), std::move(occupants));
}

RoomSession::~RoomSession() = default;

Status RoomSession::run(const Program& program, const std::function<void(Rank)>& on_calibrated) {
  std::vector<Status> results(laptops_.size());
  std::vector<std::function<void()>> programs;
  for (Rank rank = 0; rank < n_laptops(); ++rank) {
    programs.emplace_back([this, rank, &program, &on_calibrated, &results] {
      results[static_cast<std::size_t>(rank)] = run_rank(rank, program, on_calibrated);
    });
  }
  world_->run(std::move(programs));
  for (const auto& result : results) {
    if (!result) {
      return result;
    }
  }
  return {};
}

Status RoomSession::run_rank(Rank rank,
                             const Program& program,
                             const std::function<void(Rank)>& on_calibrated) {
  auto& node = laptops_[static_cast<std::size_t>(rank)]->node();
  RoomRank self(*world_, node, options_);
  if (auto status = calibrate(self, node); !status) {
    return status;
  }
  if (on_calibrated) {
    on_calibrated(rank);
  }
  Status status = program(self);
  if (status) {
    // A peer may still wait for our last message: stay until it has it.
    status = self.transport().flush();
  }
  if (!status) {
    return tl::make_unexpected(say_why_it_leaves(self, status.error()));
  }
  return status;
}

Status RoomSession::calibrate(RoomRank& self, link::Node& node) {
  const auto found =
      self.wait([&] { return node.calibrated(); }, self.now() + options_.calibration_deadline);
  if (!found) {
    return tl::make_unexpected(found.error());
  }
  if (*found) {
    return {};
  }
  return fail(ErrorCode::kTimeout,
              fmt::format("calibration did not end within {:g} s: {}",
                          to_seconds(options_.calibration_deadline), who_does_not_see_whom()));
}

std::string RoomSession::who_does_not_see_whom() const {
  std::string text;
  for (Rank rank = 0; rank < n_laptops(); ++rank) {
    for (const auto& link : laptop(rank).stats()) {
      if (link.in_view) {
        continue;
      }
      text += fmt::format("{}{} does not see {}", text.empty() ? "laptop " : ", ", rank, link.peer);
    }
  }
  return text.empty() ? "all see one another, but not all could say so" : text;
}

int RoomSession::n_laptops() const {
  return static_cast<int>(laptops_.size());
}
Duration RoomSession::air_time() const {
  return world_->now().time_since_epoch();
}

const Laptop& RoomSession::laptop(Rank rank) const {
  return *laptops_[static_cast<std::size_t>(rank)];
}

std::uint64_t RoomSession::bytes_on_air(Rank rank) const {
  return laptops_[static_cast<std::size_t>(rank)]->node().bytes_on_air();
}

}  // namespace wccl::session
