#include "app/live_room_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace wccl::app {

namespace {

std::string state_of(const session::LivePanel& panel) {
  if (const auto reason = panel.ended()) {
    return fmt::format(", dark: {}", reason->message);
  }
  return panel.covered() ? ", covered" : "";
}

}  // namespace

LiveRoomReport::LiveRoomReport(const session::LiveRoom& room, Instant now)
    : room_(room), since_(now) {
  for (int node = 0; node < room_.n_nodes(); ++node) {
    last_.push_back(count(node));
  }
}

LiveRoomReport::Counts LiveRoomReport::count(int node) const {
  return {room_.panel(node).counts(), room_.camera(node).counts()};
}

std::string LiveRoomReport::lines(Instant now) {
  const double seconds = std::max(to_seconds(now - since_), 1e-3);
  std::string text;
  for (int node = 0; node < room_.n_nodes(); ++node) {
    Counts& before = last_[static_cast<std::size_t>(node)];
    const Counts counts = count(node);
    const auto captures = counts.camera.captures - before.camera.captures;
    const auto n = static_cast<double>(std::max<std::uint64_t>(captures, 1));
    text += fmt::format(
        "laptop {}: camera {:.1f} captures/s, {} missed, {:.0f} ms and {:.0f} kB each; screen "
        "{:.1f} "
        "grabs/s, {:.1f} changes/s{}\n",
        node, static_cast<double>(captures) / seconds, counts.camera.missed - before.camera.missed,
        1e3 * to_seconds(counts.camera.busy - before.camera.busy) / n,
        1e-3 * static_cast<double>(counts.camera.jpeg_bytes - before.camera.jpeg_bytes) / n,
        static_cast<double>(counts.panel.grabs - before.panel.grabs) / seconds,
        static_cast<double>(counts.panel.changes - before.panel.changes) / seconds,
        state_of(room_.panel(node)));
    before = counts;
  }
  since_ = now;
  return text;
}

std::string live_room_json(const session::LiveRoom& room, Instant now) {
  auto laptops = nlohmann::json::array();
  for (int node = 0; node < room.n_nodes(); ++node) {
    const auto panel = room.panel(node).counts();
    const auto camera = room.camera(node).counts();
    laptops.push_back({{"grabs", panel.grabs},
                       {"changes", panel.changes},
                       {"covered", room.panel(node).covered()},
                       {"captures", camera.captures},
                       {"missed", camera.missed},
                       {"busy_s", to_seconds(camera.busy)},
                       {"jpeg_bytes", camera.jpeg_bytes}});
  }
  return nlohmann::json{{"time_s", to_seconds(now)}, {"laptops", std::move(laptops)}}.dump(1) +
         "\n";
}

}  // namespace wccl::app
