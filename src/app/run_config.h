#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/room_setup.h"
#include "app/train_settings.h"

namespace wccl::app {

/// What config.json holds: the settings, the program's version and every parameter of the room.
/// @param room  Null without a room.
[[nodiscard]] nlohmann::ordered_json run_config(const TrainSettings& settings, const Room* room);

}  // namespace wccl::app
