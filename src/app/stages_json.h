#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "session/stage_use.h"

namespace wccl::app {

/// `stages` of a summary on devices (docs/cli.md).
[[nodiscard]] nlohmann::ordered_json to_json(std::span<const session::StageUse> stages);

}  // namespace wccl::app
