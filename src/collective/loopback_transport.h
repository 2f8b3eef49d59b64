#pragma once

#include <memory>
#include <optional>

#include "wccl/transport.h"

#include "base/clock.h"

namespace wccl {

struct LoopbackOptions {
  Duration timeout = std::chrono::seconds(30);  ///< How long receive() waits.
  /// Holds each message back for a time up to this, so that messages overtake one another as they
  /// do by light. Which is held for how long follows from the seed.
  Duration max_delay{0};
  std::uint64_t seed = 1;
};

/// N ranks in one process, one thread each, and what connects them: programs can be tried, and
/// collectives tested, without light.
class LoopbackWorld {
 public:
  explicit LoopbackWorld(int world_size, LoopbackOptions options = {});
  ~LoopbackWorld();
  LoopbackWorld(const LoopbackWorld&) = delete;
  LoopbackWorld& operator=(const LoopbackWorld&) = delete;

  /// The end of `rank`; lives as long as the world. Each may be used by another thread.
  [[nodiscard]] Transport& transport(Rank rank);
  [[nodiscard]] int world_size() const;

  /// From now on `rank` is cut off, as if its screen had been covered: it and whoever waits for it
  /// gets kPeerLost. What it sent before still arrives. Any thread may call it.
  void lose(Rank rank);

 private:
  struct State;
  class End;
  std::unique_ptr<State> state_;
};

}  // namespace wccl
