#include "app/room_setup.h"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

namespace wccl::app {
namespace {

// Below these sizes in camera pixels the first receiver loses too many blocks (docs/link.md).
constexpr double kSmallestLumaCell = 2.6;
constexpr double kSmallestRgbCell = 3.4;

/// Whatever part of the room finds it: a name that does not exist is a fault of the command line.
Error as_usage_error(Error error) {
  if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kInvalidArgument;
  return error;
}

/// Camera pixels per panel pixel where they are fewest.
double smallest_scale(const Room& room) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& view : room.visibility.views) {
    const auto& panel = room.scene.nodes[static_cast<std::size_t>(view.panel)].panel;
    if (!view.complete) continue;
    smallest =
        std::min({smallest, view.width_px / panel.width_px, view.height_px / panel.height_px});
  }
  return smallest;
}

}  // namespace

Result<Room> set_up_room(const RoomRequest& request) {
  auto scene = room::make_scene(request.scene, request.arrangement, request.nodes);
  if (!scene) return tl::make_unexpected(as_usage_error(scene.error()));
  for (const auto& assignment : request.overrides) {
    if (auto status = room::override_parameter(*scene, assignment); !status) {
      return tl::make_unexpected(as_usage_error(status.error()));
    }
  }
  auto visibility = room::visibility(*scene);
  if (!visibility) return fail(ErrorCode::kUnsupported, visibility.error().message);
  return Room{std::move(*scene), std::move(*visibility)};
}

Status check_all_see_all(const Room& room) {
  std::string blind;
  for (const auto& view : room.visibility.views) {
    if (view.complete) continue;
    blind += fmt::format("{}camera {} does not have screen {} in its picture",
                         blind.empty() ? "" : ", ", view.camera, view.panel);
  }
  if (blind.empty()) return {};
  return fail(
      ErrorCode::kUnsupported,
      fmt::format("in this arrangement {}; try --arrangement horseshoe or fewer nodes", blind));
}

phy::ModeId choose_mode(const Room& room) {
  const double scale = smallest_scale(room);
  phy::ModeId chosen = 0;
  const auto modes = phy::modes();
  for (std::size_t id = 0; id < modes.size(); ++id) {
    const double smallest =
        modes[id].colouring == phy::Colouring::kLuma ? kSmallestLumaCell : kSmallestRgbCell;
    if (modes[id].cell_px * scale >= smallest) chosen = static_cast<phy::ModeId>(id);
  }
  return chosen;
}

}  // namespace wccl::app
