#include "app/room_command.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "app/exit_status.h"
#include "app/folder.h"
#include "app/interrupt.h"
#include "app/poster.h"
#include "app/print.h"
#include "app/room_play.h"
#include "app/train_settings.h"
#include "room/png.h"
#include "room/world.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;

int list_room(const RoomRequest& request) {
  const auto scene = room::make_scene(request.scene, request.arrangement, request.nodes);
  if (!scene) {
    return report("room", {ErrorCode::kInvalidArgument, scene.error().message});
  }
  app::print("Scenes:\n");
  for (const auto& name : room::scene_names()) {
    app::print("  {:<12} {}\n", name, room::scene_description(name));
  }
  app::print("\nArrangements (--arrangement), or the path of a pose file (docs/room.md):\n ");
  for (const auto& name : room::arrangement_names()) {
    app::print(" {}", name);
  }
  app::print(
      "\n\nParameters (--set NAME=VALUE for all laptops, nodeK.NAME=VALUE for one), with their "
      "value in {}:\n",
      request.scene);
  for (const auto& parameter : room::list_parameters(*scene)) {
    app::print("  {:<32} {:<12} {}\n", parameter.name, parameter.value, parameter.help);
  }
  return kExitOk;
}

/// Lets the room live until `command.time_s`, then keeps what there is to see.
Status photograph(const RoomCommand& command, const Room& room, phy::ModeId mode) {
  std::vector<std::unique_ptr<Poster>> posters;
  std::vector<Occupant*> occupants;
  for (const auto& node : room.scene.nodes) {
    const phy::PanelSize panel{node.panel.width_px, node.panel.height_px};
    posters.push_back(std::make_unique<Poster>(static_cast<std::uint8_t>(posters.size()), panel,
                                               mode, command.seed));
    occupants.push_back(posters.back().get());
  }
  room::WorldOptions options;
  options.scene = room.scene;
  options.seed = command.seed;
  room::World world(std::move(options), occupants);
  std::vector<std::function<void()>> programs;
  for (std::size_t i = 0; i < posters.size(); ++i) {
    programs.emplace_back([&world, &command, i] {
      // Fails only when the world has an end, and this one has none.
      static_cast<void>(world.charge(static_cast<int>(i), from_seconds(command.time_s)));
    });
  }
  world.run(std::move(programs));
  for (std::size_t i = 0; i < posters.size(); ++i) {
    const auto shown = posters[i]->shown();
    const auto seen = world.last_capture(static_cast<int>(i));
    if (!shown || !seen) {
      return fail(ErrorCode::kInvalidArgument, "--time ends before the first capture");
    }
    const auto screen = room::write_png(command.out / fmt::format("screen-{}.png", i), *shown);
    if (!screen) {
      return screen;
    }
    const auto camera =
        room::write_png(command.out / fmt::format("camera-{}.png", i), to_rgb(seen->view()));
    if (!camera) {
      return camera;
    }
  }
  return {};
}

int film(const RoomCommand& command, const Room& room) {
  if (command.out.empty()) {
    return report("room", {ErrorCode::kInvalidArgument, "--play needs --out for the captures"});
  }
  if (auto status = make_folder(command.out); !status) {
    return report("room", status.error());
  }
  const InterruptGuard guard;
  const auto n =
      play_in_room({command.play, command.out, command.captures, command.hold, command.seed}, room);
  if (!n) {
    return report("room", n.error());
  }
  app::print("wrote {} captures of node 1's camera to {}\n", *n, command.out.string());
  return kExitOk;
}

}  // namespace

int room_command(const RoomCommand& command) {
  if (command.list) {
    return list_room(command.request);
  }
  if (!(command.time_s > 0 && command.time_s <= 60)) {
    return report("room",
                  {ErrorCode::kInvalidArgument, "--time must be above 0 and at most 60 seconds"});
  }
  const auto mode = phy::find_mode(command.mode);
  if (!mode) {
    return report("room", unknown_mode(command.mode));
  }
  const auto room = set_up_room(command.request);
  if (!room) {
    return report("room", room.error());
  }
  app::print("{}", room::describe(room->visibility));
  if (!command.play.empty()) {
    return film(command, *room);
  }
  if (command.out.empty()) {
    return kExitOk;
  }
  auto status = make_folder(command.out);
  if (status) {
    status = photograph(command, *room, *mode);
  }
  if (!status) {
    return report("room", status.error());
  }
  app::print("wrote {} screens and what {} cameras see to {}\n", room->scene.nodes.size(),
             room->scene.nodes.size(), command.out.string());
  return kExitOk;
}

}  // namespace wccl::app
