#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "link/link_transport.h"
#include "phy/mode.h"
#include "room/world.h"
#include "session/laptop.h"
#include "session/rank_context.h"

namespace wccl::session {

struct RoomSessionOptions {
  room::Scene scene;                       ///< One place a laptop.
  std::vector<room::SceneChange> changes;  ///< In order: a lamp that goes out, a lid that closes.
  std::optional<phy::ModeId> mode;         ///< Fixed when set, else what the receivers can read.
  std::uint64_t seed = 1;
  int n_threads = 2;  ///< Results do not depend on it.
  Duration calibration_deadline = std::chrono::seconds(30);
  Duration timeout = std::chrono::seconds(30);  ///< Of each blocking operation on a link.
  Instant end = Instant::max();                 ///< The world stops here.
  std::function<bool()> abort;                  ///< True: every waiting program gets kCancelled.
  /// Called on the event loop whenever a capture has arrived.
  std::function<void(Instant)> on_tick;
};

/// A rank in the room: its clock is the room's.
class RoomRank final : public RankContext {
 public:
  RoomRank(room::World& world, link::Node& node, const RoomSessionOptions& options);

  void visit(const std::function<void(link::Node&)>& look) override { look(node_); }
  [[nodiscard]] Transport& transport() override { return transport_; }
  Status charge(Duration duration) override;
  /// In a room that the user ends nobody is left to hear a goodbye.
  bool take_leave() override { return options_.abort && options_.abort(); }
  [[nodiscard]] Instant now() override;
  Result<bool> wait(const std::function<bool()>& ready, Instant deadline) override;

 private:
  room::World& world_;
  link::Node& node_;
  const RoomSessionOptions& options_;
  link::LinkTransport transport_;
};

/// Laptops that share a room, and nothing else: runs one program on each, from the cold start.
class RoomSession {
 public:
  using Program = std::function<Status(RankContext&)>;

  explicit RoomSession(RoomSessionOptions options);
  ~RoomSession();
  RoomSession(const RoomSession&) = delete;
  RoomSession& operator=(const RoomSession&) = delete;

  /// Calibrates, then runs `program` on every rank, each in a thread of its own, then makes sure
  /// that the last messages have arrived; one that fails tells the others why. Once a session.
  /// @param on_calibrated  Called when a rank has found all its peers; may be empty.
  /// @return the first rank's error, if any: kTimeout with a list of who does not see whom.
  Status run(const Program& program, const std::function<void(Rank)>& on_calibrated = {});

  [[nodiscard]] int n_laptops() const;
  /// Virtual time since the cold start.
  [[nodiscard]] Duration air_time() const;
  [[nodiscard]] const Laptop& laptop(Rank rank) const;
  [[nodiscard]] std::uint64_t bytes_on_air(Rank rank) const;

 private:
  Status run_rank(Rank rank,
                  const Program& program,
                  const std::function<void(Rank)>& on_calibrated);
  [[nodiscard]] Status calibrate(RoomRank& self, link::Node& node);
  [[nodiscard]] std::string who_does_not_see_whom() const;

  RoomSessionOptions options_;
  std::vector<std::unique_ptr<Laptop>> laptops_;
  std::unique_ptr<room::World> world_;
};

}  // namespace wccl::session
