#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/room_setup.h"

namespace wccl::app {

/// What `wccl room --live` was asked to do.
struct LiveRoomCommand {
  RoomRequest request;               ///< As many nodes as sources.
  std::vector<std::string> sources;  ///< As --camera takes them; what each laptop's screen shows.
  std::string serve;                 ///< HOST:PORT: all cameras, and an index page.
  std::vector<std::string> each{};   ///< HOST:PORT, one a laptop: its camera and nothing else.
  std::uint64_t seed = 1;
};

/// Puts real windows into the room and serves its cameras over HTTP, until Ctrl-C.
/// @return the exit status; kExitOk after Ctrl-C.
[[nodiscard]] int live_room_command(const LiveRoomCommand& command);

}  // namespace wccl::app
