#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/device_choice.h"

namespace wccl::app {

struct EvalCommand {
  std::string scenes;               ///< With commas; empty: the default ones.
  std::string modes;                ///< Likewise.
  std::vector<std::string> sweeps;  ///< NAME=VALUES, joined by commas.
  std::filesystem::path out = "eval";
  bool resume = false;
  bool force = false;
  int jobs = 0;  ///< 0: as many as the machine has cores.
  std::uint64_t seed = 1;
  int captures = 24;
  std::string script;    ///< A name or a file; empty: no script.
  std::string input;     ///< A folder of captures or a video; empty: the room.
  double fps = 30;       ///< Of the input.
  DeviceChoice devices;  ///< Given: real light between laptops, and what follows counts.
  int nodes = 2;
  std::optional<int> rank;        ///< Nothing: the laptops agree.
  std::string holds;              ///< With commas; empty: the default ones.
  std::optional<double> seconds;  ///< Of each mode and hold.
  double timeout_s = 30;
  bool json = false;
};

CLI::App* add_eval(CLI::App& program, EvalCommand& command);

/// Measures; prints a line a point; leaves results and a report. @return the exit status.
int eval_command(const EvalCommand& command);

}  // namespace wccl::app
