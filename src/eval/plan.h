#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "wccl/result.h"

#include "eval/point.h"
#include "eval/sweep.h"

namespace wccl::eval {

/// What somebody asked for; empty lists stand for the defaults.
struct PlanRequest {
  std::vector<std::string> scenes;
  std::vector<std::string> modes;
  std::vector<Axis> axes;
  std::uint64_t seed = 1;
  int captures = 24;
};

struct Plan {
  std::vector<Point> points;
  std::vector<std::string> notes;  ///< What was left out, for a person.
};

/// All combinations, judged: each point names a scene, a mode and values that exist.
/// @return kInvalidArgument or kNotFound with what is allowed.
[[nodiscard]] Result<Plan> make_plan(const PlanRequest& request);

/// Short names that a sweep knows, each with its help; besides them every parameter of the room.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> sweep_names();

/// Scenes and modes of a plan that names none.
[[nodiscard]] const std::vector<std::string>& default_scenes();
[[nodiscard]] const std::vector<std::string>& default_modes();

}  // namespace wccl::eval
