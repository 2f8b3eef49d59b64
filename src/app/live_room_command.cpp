#include "app/live_room_command.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/endpoint.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/live_room_page.h"
#include "app/live_room_report.h"
#include "app/print.h"
#include "device/camera.h"
#include "device/picture_server.h"
#include "device/steady_time.h"
#include "session/live_room.h"

namespace wccl::app {
namespace {

/// Of a source's first picture, whose size is the panel's.
constexpr Duration kFirstPicture = std::chrono::seconds(10);

constexpr Duration kReportPeriod = std::chrono::seconds(10);
constexpr Duration kLookPeriod = std::chrono::milliseconds(100);

using Sources = std::vector<std::unique_ptr<device::Camera>>;
using Servers = std::vector<std::unique_ptr<device::PictureServer>>;

struct Furnished {
  Sources sources;
  room::Scene scene;
};

struct Addresses {
  Endpoint all;
  std::vector<Endpoint> each;
};

Result<Addresses> parse_addresses(const LiveRoomCommand& command) {
  if (command.serve.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "--live needs --serve HOST:PORT, where the cameras can be seen");
  }
  if (!command.each.empty() && command.each.size() != command.sources.size()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--serve-each takes one HOST:PORT a laptop: {}, not {}",
                            command.sources.size(), command.each.size()));
  }
  Addresses addresses;
  auto all = parse_endpoint("--serve", command.serve);
  if (!all) {
    return tl::make_unexpected(all.error());
  }
  addresses.all = std::move(*all);
  for (const std::string& text : command.each) {
    auto one = parse_endpoint("--serve-each", text);
    if (!one) {
      return tl::make_unexpected(one.error());
    }
    addresses.each.push_back(std::move(*one));
  }
  return addresses;
}

/// Asks each source for as many pictures a second as its panel shows.
Result<Sources> open_sources(const std::vector<std::string>& names,
                             const room::Scene& scene,
                             const device::SteadyTime& time) {
  Sources sources;
  for (std::size_t i = 0; i < names.size(); ++i) {
    device::CameraFormat wanted;
    wanted.fps = scene.nodes[i].panel.refresh_hz;
    auto source = device::open_camera(names[i], wanted, time);
    if (!source) {
      return tl::make_unexpected(source.error());
    }
    sources.push_back(std::move(*source));
  }
  return sources;
}

/// @return what makes a scene's panels as large as the sources' pictures.
Result<std::vector<std::string>> panel_sizes(const Sources& sources) {
  std::vector<std::string> sizes;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto first = sources[i]->next(kFirstPicture);
    if (!first) {
      return tl::make_unexpected(first.error());
    }
    if (!*first) {
      return fail(ErrorCode::kTimeout, fmt::format("{} gives no pictures", sources[i]->name()));
    }
    const PlaneView& picture = (*first)->picture.y;
    sizes.push_back(fmt::format("node{}.panel.width_px={}", i, picture.width));
    sizes.push_back(fmt::format("node{}.panel.height_px={}", i, picture.height));
  }
  return sizes;
}

Result<std::unique_ptr<device::PictureServer>> serve_all(const Endpoint& at,
                                                         session::LiveRoom& room,
                                                         const device::SteadyTime& time) {
  auto server = device::PictureServer::open(at.host, at.port);
  if (!server) {
    return server;
  }
  for (int node = 0; node < room.n_nodes(); ++node) {
    const std::string prefix = fmt::format("/{}", node);
    (*server)->add_camera(prefix, room.camera(node).feed());
    (*server)->add_switch(prefix + "/cover", "/",
                          [&room, node](bool on) { room.panel(node).cover(on); });
  }
  (*server)->add_page("/", "text/html; charset=utf-8", [&room] { return live_room_page(room); });
  (*server)->add_page("/status.json", "application/json",
                      [&room, &time] { return live_room_json(room, time.now()); });
  return server;
}

/// Starts to answer only when all addresses are there.
Result<Servers> serve(const Addresses& addresses,
                      session::LiveRoom& room,
                      const device::SteadyTime& time) {
  Servers servers;
  auto all = serve_all(addresses.all, room, time);
  if (!all) {
    return tl::make_unexpected(all.error());
  }
  servers.push_back(std::move(*all));
  for (std::size_t i = 0; i < addresses.each.size(); ++i) {
    auto one = device::PictureServer::open(addresses.each[i].host, addresses.each[i].port);
    if (!one) {
      return tl::make_unexpected(one.error());
    }
    (*one)->add_camera("", room.camera(static_cast<int>(i)).feed());
    servers.push_back(std::move(*one));
  }
  for (const auto& server : servers) {
    server->start();
  }
  return servers;
}

void introduce(const LiveRoomCommand& command, const room::Scene& scene) {
  for (std::size_t i = 0; i < command.sources.size(); ++i) {
    const room::PanelSpec& panel = scene.nodes[i].panel;
    const std::string address =
        command.each.empty() ? fmt::format("{}/{}", command.serve, i) : command.each[i];
    app::print("laptop {}: its screen is {} ({} x {}), its camera http://{}/video\n", i,
               command.sources[i], panel.width_px, panel.height_px, address);
  }
  app::print("look at http://{}/; Ctrl-C ends\n", command.serve);
  std::fflush(stdout);
}

/// Prints statistics until Ctrl-C.
void attend(const session::LiveRoom& room, const device::SteadyTime& time) {
  LiveRoomReport report(room, time.now());
  Instant next_report = time.now() + kReportPeriod;
  while (!interrupted()) {
    std::this_thread::sleep_for(kLookPeriod);
    if (time.now() >= next_report) {
      next_report += kReportPeriod;
      app::print("{}", report.lines(time.now()));
      std::fflush(stdout);
    }
  }
  app::print("{}", report.lines(time.now()));
}

Result<Furnished> furnish(const LiveRoomCommand& command, const device::SteadyTime& time) {
  RoomRequest request = command.request;
  request.nodes = static_cast<int>(command.sources.size());
  const auto as_asked =
      set_up_room(request);  // what is wrong with it is said before anything opens
  if (!as_asked) {
    return tl::make_unexpected(as_asked.error());
  }
  auto sources = open_sources(command.sources, as_asked->scene, time);
  if (!sources) {
    return tl::make_unexpected(sources.error());
  }
  const auto sizes = panel_sizes(*sources);
  if (!sizes) {
    return tl::make_unexpected(sizes.error());
  }
  request.overrides.insert(request.overrides.begin(), sizes->begin(), sizes->end());
  auto room = set_up_room(request);
  if (!room) {
    return tl::make_unexpected(room.error());
  }
  return Furnished{std::move(*sources), std::move(room->scene)};
}

Status live(const LiveRoomCommand& command) {
  const auto addresses = parse_addresses(command);
  if (!addresses) {
    return tl::make_unexpected(addresses.error());
  }
  const InterruptGuard guard;
  const device::SteadyTime time;
  const auto furnished = furnish(command, time);
  if (!furnished) {
    return tl::make_unexpected(furnished.error());
  }
  std::vector<device::Camera*> sources;
  for (const auto& source : furnished->sources) {
    sources.push_back(source.get());
  }
  session::LiveRoom room(furnished->scene, command.seed, sources, time);
  const auto servers = serve(*addresses, room, time);
  if (!servers) {
    return tl::make_unexpected(servers.error());
  }
  introduce(command, furnished->scene);
  attend(room, time);
  return {};
}

}  // namespace

int live_room_command(const LiveRoomCommand& command) {
  const auto status = live(command);
  return status ? kExitOk : report("room", status.error());
}

}  // namespace wccl::app
