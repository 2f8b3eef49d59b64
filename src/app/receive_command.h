#pragma once

#include <filesystem>

#include <CLI/CLI.hpp>

#include "app/transfer_options.h"

namespace wccl::app {

/// What `wccl receive` was asked to do.
struct ReceiveCommand {
  std::filesystem::path folder = ".";
  TransferOptions options{.devices = {}, .nodes = 0};
  bool force = false;
  bool one_way = false;
};

/// Adds the subcommand. @param command  Filled in by parsing; must outlive `program`.
CLI::App* add_receive(CLI::App& program, ReceiveCommand& command);

/// Receives files and folders by light. @return the exit status.
[[nodiscard]] int receive_command(const ReceiveCommand& command);

}  // namespace wccl::app
