#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

namespace wccl::app {

/// What `wccl encode` was asked to do.
struct EncodeCommand {
  std::filesystem::path file;
  std::filesystem::path out;
  std::string panel = "1920x1200";
  int hold = 4;  ///< Refreshes of the panel that each frame is shown.
  std::string mode = "auto";
  std::size_t frames = 0;  ///< 0: so many that a third may be lost.
};

/// Adds the subcommand. @param command  Filled in by parsing; must outlive `program`.
CLI::App* add_encode(CLI::App& program, EncodeCommand& command);

/// Writes a file as frames for a screen: PNG pictures in display order, and manifest.json.
/// @return the exit status.
[[nodiscard]] int encode_command(const EncodeCommand& command);

}  // namespace wccl::app
