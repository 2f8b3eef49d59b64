#include <nlohmann/json.hpp>

#include "app/run_config.h"
#include "app/training.h"
#include "app/version.h"

namespace wccl::app {

nlohmann::ordered_json run_config(const TrainSettings& settings, const Room* room) {
  const auto trainer = train::with_defaults(trainer_options(settings));
  nlohmann::ordered_json config = {{"wccl_version", kVersion},
                                   {"backend", to_string(settings.backend)},
                                   {"strategy", to_string(settings.strategy)},
                                   {"nodes", settings.nodes},
                                   {"inner_steps", trainer.inner_steps},
                                   {"batch_size", trainer.batch_size},
                                   {"inner_lr", trainer.inner_lr},
                                   {"outer_lr", trainer.outer_lr},
                                   {"outer_momentum", trainer.outer_momentum},
                                   {"target_accuracy", settings.target_accuracy},
                                   {"max_air_time_s", settings.max_air_time_s},
                                   {"timeout_s", settings.timeout_s},
                                   {"seed", settings.seed},
                                   {"data", settings.data.string()}};
  if (settings.backend == Backend::kLight) {
    config["screen"] = settings.devices.screen.value_or("");
    config["camera"] = settings.devices.camera.value_or("");
  }
  if (room == nullptr) {
    return config;
  }
  config["scene"] = settings.scene;
  config["arrangement"] = settings.arrangement;
  config["overrides"] = settings.overrides;
  config["mode"] = settings.mode;
  auto& parameters = config["parameters"] = nlohmann::ordered_json::object();
  for (const auto& parameter : room::list_parameters(room->scene)) {
    parameters[parameter.name] = parameter.value;
  }
  return config;
}

}  // namespace wccl::app
