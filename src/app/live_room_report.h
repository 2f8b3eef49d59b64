#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "session/live_room.h"

namespace wccl::app {

/// How well a live room keeps up, from one report to the next.
class LiveRoomReport {
 public:
  LiveRoomReport(const session::LiveRoom& room, Instant now);

  /// A line a laptop, about the time since the last call.
  [[nodiscard]] std::string lines(Instant now);

 private:
  struct Counts {
    session::LivePanelCounts panel;
    session::LiveCameraCounts camera;
  };
  [[nodiscard]] Counts count(int node) const;

  const session::LiveRoom& room_;
  std::vector<Counts> last_;
  Instant since_;
};

/// The counts from the beginning on, for programs (docs/room.md).
[[nodiscard]] std::string live_room_json(const session::LiveRoom& room, Instant now);

}  // namespace wccl::app
