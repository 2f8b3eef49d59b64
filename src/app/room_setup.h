#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "room/scene.h"
#include "room/visibility.h"

namespace wccl::app {

/// A room that somebody asked for by name.
struct RoomRequest {
  std::string scene = "face_1080p";
  std::string arrangement{};  ///< Empty: pair for two, horseshoe for more.
  int nodes = 2;
  std::vector<std::string> overrides{};  ///< "key=value".
};

struct Room {
  room::Scene scene;
  room::VisibilityTable visibility;
};

/// Furnishes the room. @return kInvalidArgument for an unknown name or value; kUnsupported when
/// nobody sees anybody.
[[nodiscard]] Result<Room> set_up_room(const RoomRequest& request);

/// What a job over light needs today: every camera has every other screen in its picture (relays
/// are not there yet). @return kUnsupported naming who does not see whom.
[[nodiscard]] Status check_all_see_all(const Room& room);
/// What one-way light needs: every other camera has laptop 0's screen in its picture. Likewise.
[[nodiscard]] Status check_all_see_first(const Room& room);

}  // namespace wccl::app
