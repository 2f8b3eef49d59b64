#pragma once

#include <functional>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "base/clock.h"
#include "link/link_transport.h"

namespace wccl::session {

/// What the program of one rank has to work with: its link to the others, and the clock of the
/// session. One implementation is in the room, one on devices; programs cannot tell them apart.
class RankContext : public link::Waiter {
 public:
  /// Shows the program its node while nobody else uses it; wait() asks its condition likewise.
  virtual void visit(const std::function<void(link::Node&)>& look) = 0;
  [[nodiscard]] virtual Transport& transport() = 0;
  /// The room: sleeps for as long as the computation would take. Devices: it has taken its time.
  virtual Status charge(Duration duration) = 0;
  /// For a goodbye, after which nothing more is done: from now on wait() goes on although the user
  /// has ended the work, as long as nothing ends that, too.
  /// @return whether the user has ended it.
  virtual bool take_leave() = 0;

  [[nodiscard]] Rank rank() { return transport().rank(); }
  [[nodiscard]] int world_size() { return transport().world_size(); }
};

}  // namespace wccl::session
