#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "room/scene.h"

namespace wccl::room {

/// From `at` on the room is `scene`: other light, other places, other optics. Sizes, times and
/// rates of panels and cameras stay.
struct SceneChange {
  Instant at;
  Scene scene;
};

/// A room that changes while it is used.
struct Script {
  std::string name;
  Scene scene;                       ///< At first.
  std::vector<SceneChange> changes;  ///< In order.
  Instant end;
  std::vector<std::string> labels;  ///< What changed, of each segment, the first included.
};

/// Text of lines; `#` begins a comment:
///     scene face_1080p           the room at first, two laptops
///     5 light.ambient_lux=10     at 5 s: parameters as override_parameter() takes them, any number
///     10 end
/// A parameter that no line sets any longer keeps its value.
/// @return kInvalidArgument or kNotFound, with the line that is wrong.
[[nodiscard]] Result<Script> parse_script(std::string_view name, std::string_view text);

[[nodiscard]] std::vector<std::string> script_names();
/// @return kNotFound with the known names.
[[nodiscard]] Result<Script> built_in_script(std::string_view name);

}  // namespace wccl::room
