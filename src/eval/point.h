#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wccl/result.h"

#include "phy/mode.h"
#include "phy/techniques.h"
#include "room/scene.h"

namespace wccl::eval {

/// One point of a sweep: everything that a measurement in the room follows from.
struct Point {
  std::string scene;
  phy::ModeId mode = 0;
  int hold = 3;
  std::uint64_t seed = 1;
  std::optional<double> phase;  ///< Of the camera in the frame's time on air; else of the seed.
  std::string without;  ///< A technique of the receiver's that is switched off; "" for none.
  int captures = 24;    ///< In which frames are counted.
  /// Parameters of the room that differ from the scene's, by full name.
  std::vector<std::pair<std::string, std::string>> set;
  /// What was swept, by the user's names: the axes of plots.
  std::vector<std::pair<std::string, std::string>> swept;
};

/// Tells points apart, and is all that a resumed sweep compares.
[[nodiscard]] std::string key_of(const Point& point);

/// The room of a point, furnished. @return kInvalidArgument for what cannot be.
[[nodiscard]] Result<room::Scene> scene_of(const Point& point);

/// All but the one of that name. @return nothing for an unknown name.
[[nodiscard]] std::optional<phy::Techniques> techniques_without(std::string_view name);

/// "1/2-3/4-1/2" of R, G, B; "1/2" of a luma mode.
[[nodiscard]] std::string rates_of(const phy::Mode& mode);
[[nodiscard]] std::string_view colours_of(const phy::Mode& mode);

}  // namespace wccl::eval
