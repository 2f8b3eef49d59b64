#include "app/stages_json.h"

#include <nlohmann/json.hpp>

namespace wccl::app {

nlohmann::ordered_json to_json(std::span<const session::StageUse> stages) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& stage : stages) {
    all.push_back({{"name", stage.name},
                   {"items", stage.items},
                   {"cpu_s", to_seconds(stage.cpu)},
                   {"mean_ms", 1e3 * to_seconds(stage.mean())},
                   {"slowest_ms", 1e3 * to_seconds(stage.slowest)}});
  }
  return all;
}

}  // namespace wccl::app
