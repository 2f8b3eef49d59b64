#pragma once

#include <optional>

#include <CLI/CLI.hpp>

#include "wccl/transport.h"

#include "app/device_choice.h"

namespace wccl::app {

/// Options that `send` and `receive` have in common.
struct TransferOptions {
  DeviceChoice devices;
  int nodes = 2;                            ///< 0: as the others say.
  std::optional<Rank> rank = std::nullopt;  ///< Nothing: the laptops agree.
  double timeout_s = 30;
  bool json = false;
};

/// @param options  Filled in by parsing; must outlive `command`.
void add_transfer_options(CLI::App& command, TransferOptions& options);

}  // namespace wccl::app
