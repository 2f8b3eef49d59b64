#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/one_way_frames.h"
#include "app/room_setup.h"
#include "app/transfer_options.h"

namespace wccl::app {

/// What `wccl send` was asked to do.
struct SendCommand {
  std::vector<std::filesystem::path> paths;
  RoomRequest room{""};       ///< Its scene is empty without --scene.
  std::filesystem::path out;  ///< Where the room's receiver puts it.
  bool force = false;
  bool one_way = false;
  OneWayChoice frames;    ///< The mode goes both ways, too.
  double duration_s = 0;  ///< One way: until the user leaves.
  std::uint64_t seed = 1;
  TransferOptions options;
};

/// Adds the subcommand. @param command  Filled in by parsing; must outlive `program`.
CLI::App* add_send(CLI::App& program, SendCommand& command);

/// Sends files and folders by light. @return the exit status.
[[nodiscard]] int send_command(const SendCommand& command);

}  // namespace wccl::app
