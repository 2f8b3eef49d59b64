#pragma once

#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

namespace wccl::app {

/// What `wccl show` was asked to do.
struct ShowCommand {
  std::filesystem::path frames;
  std::string screen = "window";
  int hold = 0;   ///< Refreshes of 60 Hz for each frame; 0: the manifest's.
  int times = 0;  ///< That all frames are shown; 0: until the user leaves.
  bool gentle = false;
};

/// Adds the subcommand. @param command  Filled in by parsing; must outlive `program`.
CLI::App* add_show(CLI::App& program, ShowCommand& command);

/// Shows frames of `wccl encode` on a screen, for cameras to read. @return the exit status.
[[nodiscard]] int show_command(const ShowCommand& command);

}  // namespace wccl::app
