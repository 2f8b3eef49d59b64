#include "app/train_settings.h"

#include <cmath>
#include <cstdlib>
#include <string_view>

#include <fmt/core.h>

#include "app/world_check.h"
#include "phy/mode.h"

namespace wccl::app {
namespace {

std::filesystem::path environment_path(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

Status check_mode(const std::string& mode) {
  if (mode == "auto" || phy::find_mode(mode)) {
    return {};
  }
  return tl::make_unexpected(unknown_mode(mode));
}

Status check_processes(const TrainSettings& settings) {
  const auto wrong = [](const char* message) { return fail(ErrorCode::kInvalidArgument, message); };
  if (settings.devices.given() && settings.backend != Backend::kLight) {
    return wrong("--screen and --camera are for real laptops: leave --backend out");
  }
  switch (settings.backend) {
    case Backend::kRoom:
      if (settings.rank || settings.master) {
        return wrong(
            "--rank is for laptops with --screen and --camera, or, with --master, for --backend "
            "gloo");
      }
      break;
    case Backend::kLight:
      if (settings.master) {
        return wrong("--master needs --backend gloo");
      }
      break;
    case Backend::kGloo:
      if (settings.rank.has_value() != settings.master.has_value()) {
        return wrong("--rank and --master belong together: give both or none");
      }
      break;
  }
  return {};
}

Status check_numbers(const TrainSettings& settings) {
  const auto wrong = [](std::string message) {
    return fail(ErrorCode::kInvalidArgument, std::move(message));
  };
  if (auto status = check_world(settings.nodes, settings.rank); !status) {
    return status;
  }
  if (settings.inner_steps && (*settings.inner_steps < 1 || *settings.inner_steps > 100'000)) {
    return wrong(fmt::format("--inner-steps must be 1 to 100000, not {}", *settings.inner_steps));
  }
  // Written so that NaN fails too.
  if (!(settings.target_accuracy > 0 && settings.target_accuracy <= 1)) {
    return wrong(fmt::format("--target-accuracy must be above 0 and at most 1, not {}",
                             settings.target_accuracy));
  }
  if (!(settings.timeout_s > 0 && settings.timeout_s <= 3600)) {
    return wrong(fmt::format("--timeout must be above 0 and at most 3600 seconds, not {}",
                             settings.timeout_s));
  }
  if (!(settings.max_air_time_s > 0 && settings.max_air_time_s <= kMostAirTimeS)) {
    return wrong(fmt::format("--max-air-time must be above 0 and at most {} seconds, not {}",
                             kMostAirTimeS, settings.max_air_time_s));
  }
  return {};
}

}  // namespace

std::filesystem::path default_data_folder() {
  if (const auto mnist = environment_path("WCCL_MNIST"); !mnist.empty()) {
    return mnist;
  }
  if (const auto home = environment_path("WCCL_HOME"); !home.empty()) {
    return home / "mnist";
  }
  return environment_path("HOME") / ".cache" / "wccl" / "mnist";
}

std::string default_arrangement(int nodes) {
  return nodes <= 2 ? "pair" : "horseshoe";
}

Error unknown_mode(const std::string& name) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("--mode: there is no mode '{}'; `wccl modes` lists them", name)};
}

Result<Backend> parse_backend(const std::string& name) {
  if (name == "room") {
    return Backend::kRoom;
  }
  if (name == "light") {
    return Backend::kLight;
  }
  if (name == "gloo") {
    return Backend::kGloo;
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("--backend: there is no backend '{}'; choose room, light or gloo", name));
}

Result<train::Strategy> parse_strategy(const std::string& name) {
  if (name == "parameter-server") {
    return train::Strategy::kParameterServer;
  }
  if (name == "data-parallel") {
    return train::Strategy::kDataParallel;
  }
  if (name == "diloco") {
    return train::Strategy::kDiloco;
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("--strategy: there is no strategy '{}'; choose parameter-server, "
                          "data-parallel or diloco",
                          name));
}

std::string to_string(Backend backend) {
  switch (backend) {
    case Backend::kRoom:
      return "room";
    case Backend::kLight:
      return "light";
    case Backend::kGloo:
      return "gloo";
  }
  return "";
}

std::string to_string(train::Strategy strategy) {
  switch (strategy) {
    case train::Strategy::kParameterServer:
      return "parameter-server";
    case train::Strategy::kDataParallel:
      return "data-parallel";
    case train::Strategy::kDiloco:
      return "diloco";
  }
  return "";
}

std::vector<std::string> to_arguments(const TrainSettings& settings) {
  std::vector<std::string> arguments = {"train"};
  const auto add = [&](std::string name, std::string value) {
    arguments.push_back(std::move(name));
    arguments.push_back(std::move(value));
  };
  add("--nodes", std::to_string(settings.nodes));
  add("--scene", settings.scene);
  add("--arrangement", settings.arrangement);
  for (const auto& assignment : settings.overrides) {
    add("--set", assignment);
  }
  add("--mode", settings.mode);
  add("--backend", to_string(settings.backend));
  add("--strategy", to_string(settings.strategy));
  if (settings.inner_steps) {
    add("--inner-steps", std::to_string(*settings.inner_steps));
  }
  // {} prints the shortest text that reads back as the same number.
  add("--target-accuracy", fmt::format("{}", settings.target_accuracy));
  add("--max-air-time", fmt::format("{}", settings.max_air_time_s));
  add("--timeout", fmt::format("{}", settings.timeout_s));
  add("--seed", std::to_string(settings.seed));
  add("--data", settings.data.string());
  if (!settings.out.empty()) {
    add("--out", settings.out.string());
  }
  if (!settings.resume.empty()) {
    add("--resume", settings.resume.string());
  }
  if (settings.launched) {
    arguments.emplace_back("--launched");
  }
  if (settings.json) {
    arguments.emplace_back("--json");
  }
  if (settings.rank) {
    add("--rank", std::to_string(*settings.rank));
  }
  if (settings.master) {
    add("--master", fmt::format("{}:{}", settings.master->host, settings.master->port));
  }
  return arguments;
}

Status check(const TrainSettings& settings) {
  if (auto status = check_numbers(settings); !status) {
    return status;
  }
  if (auto status = check_mode(settings.mode); !status) {
    return status;
  }
  if (!settings.resume.empty() && !settings.out.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "--resume goes on in the folder that it names: leave --out out");
  }
  return check_processes(settings);
}

}  // namespace wccl::app
