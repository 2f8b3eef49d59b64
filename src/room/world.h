#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "base/image.h"
#include "room/scene.h"
#include "room/script.h"

namespace wccl::room {

/// What lives at a place of the room: it has a panel and a webcam, and that is all it has.
class Occupant {
 public:
  virtual ~Occupant() = default;
  Occupant() = default;
  Occupant(const Occupant&) = delete;
  Occupant& operator=(const Occupant&) = delete;

  /// Event loop; once a refresh of the panel. @return what to show from this refresh on, or null:
  /// keep.
  virtual std::shared_ptr<const RgbImage> next_frame(Instant now) = 0;

  /// Worker thread, one capture of this occupant at a time and in order, while the world goes on.
  /// Must not touch what the other calls touch.
  /// @return what the event loop runs when the capture arrives (after the camera's latency).
  virtual std::function<void(Instant now)> decode(const YuvImage& capture, Instant captured_at) = 0;
};

struct WorldOptions {
  Scene scene;                       ///< Panels, cameras and light; one placed node per occupant.
  std::vector<SceneChange> changes;  ///< In order; each holds from the next capture on.
  std::uint64_t seed = 1;
  int n_threads = 2;             ///< For cameras and decoding; results do not depend on it.
  Instant end = Instant::max();  ///< The world stops here: waiting programs get kCancelled.
};

/// The virtual room: one event loop over virtual time. The same options, occupants and programs
/// give the same bytes, whatever the machine does: programs run only while the world stands still.
class World {
 public:
  /// @param occupants  One per node of the scene; borrowed.
  World(WorldOptions options, std::vector<Occupant*> occupants);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Runs each program in a thread of its own and the world beside them until all have returned.
  void run(std::vector<std::function<void()>> programs);

  [[nodiscard]] Instant now() const;

  // For the program of `node`, from its own thread:

  /// Blocks until `ready` holds or the deadline has passed. `ready` is asked on the event loop
  /// after each event of this node.
  /// @return whether `ready` held; kCancelled when the world has ended.
  Result<bool> wait(int node, const std::function<bool()>& ready, Instant deadline);
  /// Charges compute time: the program sleeps for this long in virtual time.
  Status charge(int node, Duration duration);

  /// The latest capture of a node's camera, for pictures in reports; null before the first.
  [[nodiscard]] std::shared_ptr<const YuvImage> last_capture(int node) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wccl::room
