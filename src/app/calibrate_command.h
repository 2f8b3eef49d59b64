#pragma once

#include <CLI/CLI.hpp>

#include "app/device_options.h"

namespace wccl::app {

struct CalibrateCommand {
  DeviceChoice devices;
  int nodes = 2;
  std::optional<int> rank;
  bool text = false;   ///< No live view in the frame: text alone.
  double seconds = 0;  ///< 0: until all have locked, or Ctrl-C.
};

CLI::App* add_calibrate(CLI::App& program, CalibrateCommand& command);

/// `wccl calibrate`: shows what the camera sees until all laptops see one another.
int calibrate_command(const CalibrateCommand& command);

}  // namespace wccl::app
