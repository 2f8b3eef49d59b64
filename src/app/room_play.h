#pragma once

#include <cstdint>
#include <filesystem>

#include "wccl/result.h"

#include "app/room_setup.h"

namespace wccl::app {

/// Frames on a laptop's screen, filmed by the other one's camera.
struct RoomPlay {
  std::filesystem::path frames;  ///< A folder of `wccl encode`.
  std::filesystem::path out;     ///< Gets capture-00000.jpg and so on, as they left the camera.
  int captures = 0;              ///< 0: until the last frame has been shown.
  int hold = 0;                  ///< 0: as the manifest says.
  std::uint64_t seed = 1;
};

/// Plays the frames on node 0's panel, over and over, from the cold start of node 1's camera.
/// @return number of captures written.
[[nodiscard]] Result<int> play_in_room(const RoomPlay& play, const Room& room);

}  // namespace wccl::app
