#pragma once

#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

namespace wccl::app {

/// What `wccl record` was asked to do.
struct RecordCommand {
  std::string camera;
  std::string size;  ///< "1280x720"; empty: the camera's best.
  double fps = 0;    ///< 0: the camera's best.
  std::filesystem::path out;
  double seconds = 0;  ///< 0: until Ctrl-C.
  int captures = 0;    ///< 0: any number.
};

/// Adds the subcommand. @param command  Filled in by parsing; must outlive `program`.
CLI::App* add_record(CLI::App& program, RecordCommand& command);

/// Keeps a camera's captures as files for `wccl decode` and `wccl eval`. @return the exit status.
[[nodiscard]] int record_command(const RecordCommand& command);

}  // namespace wccl::app
