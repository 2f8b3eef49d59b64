#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "app/train_settings.h"

namespace wccl::app {

/// The options of `wccl train` as typed; to_settings() looks the names up.
struct TrainOptionTexts {
  TrainSettings settings;
  std::string backend;  ///< Empty: light with --screen or --camera, else room.
  std::string strategy = "diloco";
  std::string master;
};

/// Adds the subcommand `train`. @param texts  Filled in by parsing; must outlive `program`.
CLI::App* add_train_options(CLI::App& program, TrainOptionTexts& texts);

/// @return kInvalidArgument for the first name or number that cannot work.
[[nodiscard]] Result<TrainSettings> to_settings(const TrainOptionTexts& texts);

}  // namespace wccl::app
