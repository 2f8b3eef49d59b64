#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "app/device_choice.h"
#include "app/endpoint.h"
#include "train/trainer.h"

namespace wccl::app {

enum class Backend : std::uint8_t { kRoom, kLight, kGloo };

constexpr double kMostAirTimeS = 86'400;

/// What `wccl train` was asked to do, names already looked up.
struct TrainSettings {
  int nodes = 2;
  std::string scene = "face_1080p";
  std::string arrangement;             ///< Empty: default_arrangement(nodes).
  std::vector<std::string> overrides;  ///< "key=value" for the scene.
  std::string mode = "auto";           ///< Name of a phy::Mode, or "auto".
  Backend backend = Backend::kRoom;
  train::Strategy strategy = train::Strategy::kDiloco;
  std::optional<int> inner_steps;  ///< Nothing: the strategy's default (train::with_defaults).
  double target_accuracy = 0.90;
  double max_air_time_s = 120;
  std::uint64_t seed = 1;
  std::filesystem::path data;    ///< Folder of the four IDX files.
  std::filesystem::path out;     ///< Run folder; empty: runs/ and the date.
  std::filesystem::path resume;  ///< Folder of the run to go on with; empty: a new run.
  double timeout_s = 30;         ///< How long a silent rank is waited for.
  bool json = false;
  bool launched = false;    ///< By `wccl train` itself, which speaks for all ranks.
  DeviceChoice devices;     ///< With kLight.
  std::optional<int> rank;  ///< Of this process: one laptop, or one of a Gloo job that is spread.
  std::optional<Endpoint> master;  ///< Where rank 0 of a Gloo job listens; with rank.
};

/// $WCCL_MNIST, else mnist in $WCCL_HOME, else ~/.cache/wccl/mnist: where scripts/setup puts the
/// data.
[[nodiscard]] std::filesystem::path default_data_folder();
/// Two laptops face each other; more sit in a horseshoe, where each sees all others.
[[nodiscard]] std::string default_arrangement(int nodes);

// Names on the command line. @return kInvalidArgument listing what there is.
[[nodiscard]] Error unknown_mode(const std::string& name);
[[nodiscard]] Result<Backend> parse_backend(const std::string& name);
[[nodiscard]] Result<train::Strategy> parse_strategy(const std::string& name);
[[nodiscard]] std::string to_string(Backend backend);
[[nodiscard]] std::string to_string(train::Strategy strategy);

/// The arguments after `wccl` that ask for these settings again: how one process starts its peers.
[[nodiscard]] std::vector<std::string> to_arguments(const TrainSettings& settings);

/// Everything that can be judged without opening a file: numbers in range, options that fit
/// together.
/// @return kInvalidArgument.
[[nodiscard]] Status check(const TrainSettings& settings);

}  // namespace wccl::app
