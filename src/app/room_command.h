#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/room_setup.h"

namespace wccl::app {

/// What `wccl room` was asked to do.
struct RoomCommand {
  RoomRequest request;
  bool list = false;    ///< Scenes, arrangements and parameters instead of pictures.
  double time_s = 2.0;  ///< Of the pictures: by then exposure and white balance have settled.
  std::uint64_t seed = 1;
  std::string mode = "rgb6-1.5";  ///< Of the frames on the screens.
  std::filesystem::path out;
  std::filesystem::path play{};           ///< Frames of `wccl encode` to film instead; empty: none.
  int captures = 0;                       ///< Of that film; 0: until the frames end.
  int hold = 0;                           ///< Refreshes a frame; 0: as they were made for.
  std::vector<std::string> live{};        ///< What screens show, for a live room; empty: none.
  std::string serve{};                    ///< Of a live room: where all its cameras can be seen.
  std::vector<std::string> serve_each{};  ///< The same, a camera each.
};

/// Writes screen-N.png (what each screen shows) and camera-N.png (what each camera sees), and
/// prints the size of each screen in camera pixels. @return the exit status.
[[nodiscard]] int room_command(const RoomCommand& command);

}  // namespace wccl::app
