#include "app/kept_run.h"

#include <cstdint>
#include <exception>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/whole_number.h"
#include "phy/frame_header.h"

namespace wccl::app {
namespace {

using Json = nlohmann::json;

/// The rank whose states are in the folder; nothing when there are none, or of several.
std::optional<int> kept_rank(const std::filesystem::path& folder) {
  std::optional<int> found;
  for (int rank = 0; rank < phy::kMaxNodes; ++rank) {
    std::error_code error;
    if (std::filesystem::exists(folder / fmt::format("state-rank{}.safetensors", rank), error)) {
      if (found) {
        return std::nullopt;
      }
      found = rank;
    }
  }
  return found;
}

/// How the ranks reached one another, unless another way was typed.
void take_way(const Json& config, const std::filesystem::path& folder, TrainOptionTexts& texts) {
  const auto backend = config.at("backend").get<std::string>();
  auto& settings = texts.settings;
  const bool by_light = backend == to_string(Backend::kLight);
  const bool other_way =
      texts.backend.empty() ? settings.devices.given() && !by_light : texts.backend != backend;
  if (other_way) {
    return;
  }
  texts.backend = backend;
  if (by_light) {
    settings.devices = {config.at("screen").get<std::string>(),
                        config.at("camera").get<std::string>()};
    // Laptops that agreed on ranks might agree on others now.
    settings.rank = kept_rank(folder);
  }
}

/// What run_config() wrote. @throw Where it is not of that kind.
void take(const Json& config, TrainOptionTexts& texts) {
  auto& settings = texts.settings;
  config.at("strategy").get_to(texts.strategy);
  settings.nodes = whole_number<int>(config.at("nodes"));
  settings.inner_steps = whole_number<int>(config.at("inner_steps"));
  config.at("target_accuracy").get_to(settings.target_accuracy);
  config.at("max_air_time_s").get_to(settings.max_air_time_s);
  config.at("timeout_s").get_to(settings.timeout_s);
  settings.seed = whole_number<std::uint64_t>(config.at("seed"));
  settings.data = config.at("data").get<std::string>();
  if (!config.contains("scene")) {
    return;
  }
  config.at("scene").get_to(settings.scene);
  config.at("overrides").get_to(settings.overrides);
  config.at("mode").get_to(settings.mode);
  // A place for each of so many laptops: with another number of them it is another one.
  const auto arrangement = config.at("arrangement").get<std::string>();
  settings.arrangement = arrangement == default_arrangement(settings.nodes) ? "" : arrangement;
}

}  // namespace

Status take_kept_options(const std::filesystem::path& folder, TrainOptionTexts& texts) {
  const auto path = folder / "config.json";
  std::ifstream file(path);
  if (!file) {
    return fail(ErrorCode::kNotFound,
                fmt::format("--resume: there is no run in {}", folder.string()));
  }
  try {
    const auto config = Json::parse(file);
    take(config, texts);
    take_way(config, folder, texts);
  } catch (const std::exception&) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("--resume: {} does not read as the options of a run; another version "
                            "of wccl wrote it, or it is damaged",
                            path.string()));
  }
  return {};
}

}  // namespace wccl::app
