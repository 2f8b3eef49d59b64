#include "app/room_setup.h"

#include <string_view>

#include <fmt/core.h>

namespace wccl::app {
namespace {

/// Whatever part of the room finds it: a name that does not exist is a fault of the command line.
Error as_usage_error(Error error) {
  if (error.code == ErrorCode::kNotFound) {
    error.code = ErrorCode::kInvalidArgument;
  }
  return error;
}

/// What would help. Three are the most that can all see one another through lenses of laptops.
std::string advice(const Room& room) {
  constexpr int kMostInSight = 3;
  if (room.visibility.n_nodes > kMostInSight) {
    return "no webcam's lens is wide enough for more than three to see one another: let four be "
           "two "
           "pairs (each a run of its own, --nodes 2), or try --nodes 3 --arrangement horseshoe";
  }
  return "turn screens and cameras to one another (`wccl room` shows what each sees), or lower "
         "layout.screen_share";
}

/// @param counts  Which views must be complete.
template <class Counts>
Status check(const Room& room, std::string_view needed, const Counts& counts) {
  std::string blind;
  int n_blind = 0;
  for (const auto& view : room.visibility.views) {
    if (!counts(view) || view.complete || ++n_blind > 2) {
      continue;
    }
    blind += fmt::format("{}camera {} does not have screen {} in its picture",
                         blind.empty() ? "" : ", ", view.camera, view.panel);
  }
  if (n_blind == 0) {
    return {};
  }
  if (n_blind > 2) {
    blind += fmt::format(" (and {} more)", n_blind - 2);
  }
  return fail(ErrorCode::kUnsupported,
              fmt::format("in this arrangement {}, and {}; {}", blind, needed, advice(room)));
}

}  // namespace

Result<Room> set_up_room(const RoomRequest& request) {
  auto scene = room::make_scene(request.scene, request.arrangement, request.nodes);
  if (!scene) {
    return tl::make_unexpected(as_usage_error(scene.error()));
  }
  for (const auto& assignment : request.overrides) {
    if (auto status = room::override_parameter(*scene, assignment); !status) {
      return tl::make_unexpected(as_usage_error(status.error()));
    }
  }
  auto visibility = room::visibility(*scene);
  if (!visibility) {
    return fail(ErrorCode::kUnsupported, visibility.error().message);
  }
  return Room{std::move(*scene), std::move(*visibility)};
}

Status check_all_see_all(const Room& room) {
  return check(room, "all must see all", [](const room::View&) { return true; });
}

Status check_all_see_first(const Room& room) {
  return check(room, "all must see screen 0",
               [](const room::View& view) { return view.panel == 0; });
}

}  // namespace wccl::app
