#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace wccl::app {

/// What `wccl decode` was asked to do.
struct DecodeCommand {
  std::filesystem::path out = ".";
  bool json = false;
  double fps = 30;     ///< Captures a second.
  bool force = false;  ///< Replace another file of this name.
  std::vector<std::string> captures;
};

/// Adds the subcommand. @param command  Filled in by parsing; must outlive `program`.
CLI::App* add_decode(CLI::App& program, DecodeCommand& command);

/// Reads a file from what a camera saw of `wccl encode`'s frames.
/// @return the exit status; kExitIncomplete when there is not all of it.
[[nodiscard]] int decode_command(const DecodeCommand& command);

}  // namespace wccl::app
