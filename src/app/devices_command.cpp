#include "app/devices_command.h"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/exit_status.h"
#include "app/print.h"
#include "device/camera.h"
#include "device/screen.h"

namespace wccl::app {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const device::CameraEntry& camera) {
  auto formats = ordered_json::array();
  for (const auto& format : camera.formats) {
    formats.push_back({{"width_px", format.width_px},
                       {"height_px", format.height_px},
                       {"fps", format.fps},
                       {"coding", format.coding}});
  }
  return {{"name", camera.name},
          {"title", camera.title},
          {"system", camera.system},
          {"formats", formats}};
}

ordered_json to_json(const device::DisplayEntry& display) {
  return {{"number", display.number},
          {"name", display.name},
          {"width_px", display.format.width_px},
          {"height_px", display.format.height_px},
          {"refresh_hz", display.format.refresh_hz}};
}

void print_camera(const device::CameraEntry& camera) {
  app::print("  {}  {} ({})\n", camera.name, camera.title, camera.system);
  std::map<std::string, std::string> sizes_of;
  for (const auto& format : camera.formats) {
    std::string& sizes = sizes_of[format.coding];
    sizes += fmt::format("{}{}x{} at {:.3g}", sizes.empty() ? "" : ", ", format.width_px,
                         format.height_px, format.fps);
  }
  for (const auto& [coding, sizes] : sizes_of) {
    app::print("      {:<8} {}\n", coding, sizes);
  }
}

void print_cameras(const std::vector<device::CameraEntry>& cameras) {
  app::print("Cameras (--camera NAME)\n");
  for (const auto& camera : cameras) {
    print_camera(camera);
  }
  if (cameras.empty()) {
    app::print("  none: plug one in, or use a phone's stream (--camera http://...)\n");
  }
}

void print_displays(const std::vector<device::DisplayEntry>& displays) {
  app::print("Displays (--screen NUMBER, or --screen window:WIDTHxHEIGHT)\n");
  for (const auto& display : displays) {
    app::print("  {}  {}, {}x{} at {:.4g} Hz\n", display.number, display.name,
               display.format.width_px, display.format.height_px, display.format.refresh_hz);
  }
  if (displays.empty()) {
    app::print("  none: start wccl inside the desktop session, or set DISPLAY\n");
  }
}

}  // namespace

int devices_command(bool json) {
  const auto cameras = device::list_cameras();
  const auto displays = device::list_displays();
  if (!json) {
    print_cameras(cameras);
    print_displays(displays);
    return kExitOk;
  }
  ordered_json object{{"cameras", ordered_json::array()}, {"displays", ordered_json::array()}};
  for (const auto& camera : cameras) {
    object["cameras"].push_back(to_json(camera));
  }
  for (const auto& display : displays) {
    object["displays"].push_back(to_json(display));
  }
  app::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
  return kExitOk;
}

}  // namespace wccl::app
