#include "eval/point.h"

#include <fmt/format.h>

#include "phy/layout.h"

namespace wccl::eval {
std::string key_of(const Point& point) {
  std::string key =
      fmt::format("{} {} hold={} seed={} captures={}", point.scene,
                  phy::find_mode(point.mode)->name, point.hold, point.seed, point.captures);
  if (point.phase) {
    key += fmt::format(" phase={}", *point.phase);
  }
  if (!point.without.empty()) {
    key += " without=" + point.without;
  }
  for (const auto& [name, value] : point.set) {
    key += fmt::format(" {}={}", name, value);
  }
  return key;
}

Result<room::Scene> scene_of(const Point& point) {
  auto scene = room::make_scene(point.scene, "pair", 2);
  if (!scene) {
    return fail(ErrorCode::kInvalidArgument, scene.error().message);
  }
  for (const auto& [name, value] : point.set) {
    if (auto status = room::override_parameter(*scene, name + "=" + value); !status) {
      return fail(ErrorCode::kInvalidArgument, status.error().message);
    }
  }
  const room::PanelSpec& panel = scene->nodes[0].panel;
  if (!phy::is_panel_supported({panel.width_px, panel.height_px})) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a panel of {} x {} pixels is too small or too narrow for frames",
                            panel.width_px, panel.height_px));
  }
  return std::move(*scene);
}

std::optional<phy::Techniques> techniques_without(std::string_view name) {
  phy::Techniques techniques;
  if (name == "equalizer") {
    techniques.equalizer = false;
  } else if (name == "soft") {
    techniques.soft_decisions = false;
  } else if (name == "layers") {
    techniques.layers = false;
  } else if (name == "mixing") {
    techniques.mixing = false;
  } else if (!name.empty()) {
    return std::nullopt;
  }
  return techniques;
}

std::string rates_of(const phy::Mode& mode) {
  std::string text;
  for (const phy::Layer layer : phy::layers(mode.colouring)) {
    text += fmt::format("{}{}", text.empty() ? "" : "-", phy::name_of(mode.code_rate(layer)));
  }
  return text;
}

std::string_view colours_of(const phy::Mode& mode) {
  return mode.colouring == phy::Colouring::kLuma ? "luma" : "rgb";
}

}  // namespace wccl::eval
