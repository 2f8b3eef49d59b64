#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "base/image.h"
#include "base/occupant.h"
#include "room/scene.h"
#include "room/script.h"

namespace wccl::room {

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
