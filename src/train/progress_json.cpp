#include "train/progress_json.h"

#include <cstdint>
#include <limits>

#include <nlohmann/json.hpp>

namespace wccl::train {

std::string to_json_line(const Progress& progress) {
  const nlohmann::ordered_json line{{"sync", progress.syncs},
                                    {"steps", progress.steps},
                                    {"loss", progress.loss},
                                    {"accuracy", progress.accuracy},
                                    {"elapsed_s", to_seconds(progress.elapsed)}};
  return line.dump();
}

std::optional<Progress> parse_progress(std::string_view line, int rank) {
  constexpr double kLongestRun_s = 1e9;
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) {
    return std::nullopt;
  }
  const auto is_number = [&](const char* key) {
    return json.contains(key) && json[key].is_number();
  };
  const auto is_count = [&](const char* key) {
    return json.contains(key) && json[key].is_number_unsigned();
  };
  if (!is_count("sync") || !is_count("steps") || !is_number("loss") || !is_number("accuracy") ||
      !is_number("elapsed_s")) {
    return std::nullopt;
  }
  const auto syncs = json["sync"].get<std::uint64_t>();
  const auto elapsed_s = json["elapsed_s"].get<double>();
  // Negated, so that a NaN is refused too.
  constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
  const auto steps = json["steps"].get<std::uint64_t>();
  if (syncs > kMost || steps > kMost * kMost || !(elapsed_s >= 0 && elapsed_s <= kLongestRun_s)) {
    return std::nullopt;
  }
  return Progress{rank,
                  static_cast<int>(syncs),
                  static_cast<std::int64_t>(steps),
                  json["loss"].get<double>(),
                  json["accuracy"].get<double>(),
                  from_seconds(elapsed_s)};
}

}  // namespace wccl::train
