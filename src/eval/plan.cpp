#include "eval/plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wccl::eval {
namespace {

constexpr std::size_t kMostPoints = 100'000;
constexpr int kMostHold = 60;

/// A short name for parameters of the room; `WxH` fills two of them.
struct RoomName {
  const char* name;
  const char* parameter;
  const char* second;  ///< Of WxH; null.
  const char* help;
};
constexpr RoomName kRoomNames[] = {
    {"distance", "layout.screen_share", nullptr, "the screen's share of the picture's width"},
    {"yaw", "layout.turn_deg", nullptr, "turn of the screen in degrees"},
    {"tilt", "layout.lean_deg", nullptr, "how far the screen leans back in degrees"},
    {"exposure", "camera.exposure_ms", nullptr, "exposure in ms, automatic off"},
    {"gain", "camera.gain", nullptr, "gain, automatic off"},
    {"ambient", "light.ambient_lux", nullptr, "light of the room in lux"},
    {"glare", "light.glare_nits", nullptr, "peak of a reflected lamp in cd/m^2"},
    {"blur", "camera.psf_sigma_px", nullptr, "Gaussian blur in camera pixels"},
    {"noise", "camera.read_noise_e", nullptr, "read noise in electrons"},
    {"quality", "camera.quality", nullptr, "JPEG quality, automatic off"},
    {"readout", "camera.readout_ms", nullptr, "rolling shutter in ms"},
    {"camera_fps", "camera.fps", nullptr, "captures a second"},
    {"camera", "camera.width_px", "camera.height_px", "resolution of the camera, WxH"},
    {"panel", "panel.width_px", "panel.height_px", "resolution of the panel, WxH"},
};
constexpr std::pair<const char*, const char*> kModemNames[] = {
    {"mode", "a mode by name (`wccl modes`)"},
    {"cell", "side of a cell in panel pixels: the modes that have it"},
    {"levels", "levels of a channel: the modes that have them"},
    {"colours", "luma or rgb: the modes that are so"},
    {"rate", "code rates, such as 1/2-3/4-1/2; or of the first channel, such as 1/2"},
    {"hold", "refreshes of the panel that a frame stays"},
    {"fps", "frames a second: the holds that give it"},
    {"seed", "of payloads, noise, and the phase between panel and camera"},
    {"phase", "of the camera in a frame's time on air, 0 to 1, instead of the seed's"},
    {"without", "what the receiver does without: none, equalizer, soft, layers, mixing"},
};

bool is_mode_filter(std::string_view name) {
  return name == "cell" || name == "levels" || name == "colours" || name == "rate";
}

bool is_modem_name(std::string_view name) {
  return std::any_of(std::begin(kModemNames), std::end(kModemNames),
                     [name](const auto& known) { return name == known.first; });
}

const RoomName* find_room_name(std::string_view name) {
  const auto* found = std::find_if(std::begin(kRoomNames), std::end(kRoomNames),
                                   [name](const RoomName& known) { return name == known.name; });
  return found == std::end(kRoomNames) ? nullptr : found;
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

tl::unexpected<Error> bad_value(std::string_view name, std::string_view value, std::string must) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}={}: {}", name, value, must));
}

bool mode_has(const phy::Mode& mode, std::string_view filter, std::string_view value) {
  if (filter == "cell") {
    return fmt::format("{}", mode.cell_px) == value;
  }
  if (filter == "levels") {
    return fmt::format("{}", 1 << mode.bits_per_level) == value;
  }
  if (filter == "colours") {
    return colours_of(mode) == value;
  }
  return rates_of(mode) == value || phy::name_of(mode.code_rates[0]) == value;
}

std::string attribute(const phy::Mode& mode, std::string_view filter) {
  if (filter == "cell") {
    return fmt::format("{}", mode.cell_px);
  }
  if (filter == "levels") {
    return fmt::format("{}", 1 << mode.bits_per_level);
  }
  return filter == "colours" ? std::string(colours_of(mode)) : rates_of(mode);
}

std::string names_of_modes() {
  std::vector<std::string_view> names;
  for (const phy::Mode& mode : phy::modes()) {
    names.push_back(mode.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Builds the points axis by axis: each multiplies what is there.
class Planner {
 public:
  explicit Planner(const PlanRequest& request) : request_(request) {}

  Result<Plan> make();

 private:
  Status add_scenes();
  Status add_modes();
  Status apply(const Axis& axis);
  Status apply_filter(const Axis& axis);
  Result<Point> with(Point point, const std::string& name, const std::string& value);
  Status check();
  void settle_fps();
  [[nodiscard]] const Axis* axis_of(std::string_view name) const;

  const PlanRequest& request_;
  Plan plan_;
};

const Axis* Planner::axis_of(std::string_view name) const {
  for (const Axis& axis : request_.axes) {
    if (axis.name == name) {
      return &axis;
    }
  }
  return nullptr;
}

Status Planner::add_scenes() {
  const auto& scenes = request_.scenes.empty() ? default_scenes() : request_.scenes;
  for (const std::string& scene : scenes) {
    Point point;
    point.scene = scene;
    point.seed = request_.seed;
    point.captures = request_.captures;
    if (auto known = room::make_scene(scene, "pair", 2); !known) {
      return fail(ErrorCode::kInvalidArgument, known.error().message);
    }
    plan_.points.push_back(std::move(point));
  }
  return {};
}

/// Modes by name; else, with filters, the whole ladder; else a few of it.
Status Planner::add_modes() {
  std::vector<std::string> names = request_.modes;
  const Axis* const axis = axis_of("mode");
  if (axis != nullptr) {
    names.insert(names.end(), axis->values.begin(), axis->values.end());
  }
  const bool is_filtered = std::any_of(request_.axes.begin(), request_.axes.end(),
                                       [](const Axis& a) { return is_mode_filter(a.name); });
  if (names.empty()) {
    if (!is_filtered) {
      names = default_modes();
    } else {
      for (const phy::Mode& mode : phy::modes()) {
        names.emplace_back(mode.name);
      }
    }
  }
  std::vector<Point> points;
  for (const Point& point : plan_.points) {
    for (const std::string& name : names) {
      const auto mode = phy::find_mode(name);
      if (!mode) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("unknown mode '{}': the modes are {}", name, names_of_modes()));
      }
      points.push_back(point);
      points.back().mode = *mode;
    }
  }
  plan_.points = std::move(points);
  return {};
}

Status Planner::apply_filter(const Axis& axis) {
  for (const std::string& value : axis.values) {
    const auto modes = phy::modes();
    if (std::none_of(modes.begin(), modes.end(),
                     [&](const phy::Mode& mode) { return mode_has(mode, axis.name, value); })) {
      plan_.notes.push_back(fmt::format("no mode has {}={}: left out", axis.name, value));
    }
  }
  std::erase_if(plan_.points, [&](const Point& point) {
    const phy::Mode& mode = *phy::find_mode(point.mode);
    return std::none_of(axis.values.begin(), axis.values.end(),
                        [&](const std::string& value) { return mode_has(mode, axis.name, value); });
  });
  if (plan_.points.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("no mode is left with {}={}; the modes are {}", axis.name,
                            fmt::join(axis.values, ","), names_of_modes()));
  }
  for (Point& point : plan_.points) {
    point.swept.emplace_back(axis.name, attribute(*phy::find_mode(point.mode), axis.name));
  }
  return {};
}

Result<Point> Planner::with(Point point, const std::string& name, const std::string& value) {
  if (name == "hold") {
    const auto hold = parse<int>(value);
    if (!hold || *hold < 1 || *hold > kMostHold) {
      return bad_value(name, value, fmt::format("must be a whole number from 1 to {}", kMostHold));
    }
    point.hold = *hold;
  } else if (name == "fps") {
    const auto fps = parse<double>(value);
    if (!fps || !(*fps > 0) || *fps > 500) {
      return bad_value(name, value, "must be a number above 0, frames a second");
    }
  } else if (name == "seed") {
    const auto seed = parse<std::uint64_t>(value);
    if (!seed) {
      return bad_value(name, value, "must be a whole number from 0 to 2^64 - 1");
    }
    point.seed = *seed;
  } else if (name == "phase") {
    const auto phase = parse<double>(value);
    if (!phase || !(*phase >= 0) || *phase > 1) {
      return bad_value(name, value, "must be a number from 0 to 1");
    }
    point.phase = *phase;
  } else if (name == "without") {
    point.without = value == "none" ? "" : value;
    if (!techniques_without(point.without)) {
      return bad_value(name, value, "must be none, equalizer, soft, layers or mixing");
    }
  } else if (const RoomName* known = find_room_name(name); known != nullptr && known->second) {
    const auto x = value.find('x');
    if (x == std::string::npos || !parse<int>(value.substr(0, x)) ||
        !parse<int>(value.substr(x + 1))) {
      return bad_value(name, value, "must be WIDTHxHEIGHT, such as 1280x720");
    }
    point.set.emplace_back(known->parameter, value.substr(0, x));
    point.set.emplace_back(known->second, value.substr(x + 1));
  } else {
    point.set.emplace_back(known != nullptr ? known->parameter : name, value);
  }
  point.swept.emplace_back(name, value);
  return point;
}

Status Planner::apply(const Axis& axis) {
  if (axis.name == "mode") {
    return {};  // add_modes() has seen to it.
  }
  if (is_mode_filter(axis.name)) {
    return apply_filter(axis);
  }
  if (plan_.points.size() * axis.values.size() > kMostPoints) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("that is more than {} points; sweep less at once", kMostPoints));
  }
  std::vector<Point> points;
  for (const Point& point : plan_.points) {
    for (const std::string& value : axis.values) {
      auto changed = with(point, axis.name, value);
      if (!changed) {
        return tl::make_unexpected(changed.error());
      }
      points.push_back(std::move(*changed));
    }
  }
  plan_.points = std::move(points);
  return {};
}

/// Frames a second become holds, where the panel's refresh rate allows.
void Planner::settle_fps() {
  if (axis_of("fps") == nullptr) {
    return;
  }
  std::set<std::string> impossible;
  std::erase_if(plan_.points, [&](Point& point) {
    const auto scene = scene_of(point);
    for (const auto& [name, value] : point.swept) {
      if (name != "fps" || !scene) {
        continue;
      }
      const double hold = scene->nodes[0].panel.refresh_hz / *parse<double>(value);
      point.hold = static_cast<int>(std::lround(hold));
      if (std::abs(hold - point.hold) > 1e-6 * hold || point.hold < 1) {
        impossible.insert(value);
        return true;
      }
    }
    return false;
  });
  if (!impossible.empty()) {
    plan_.notes.push_back(fmt::format("fps={}: left out, the panel's refresh rate is no multiple",
                                      fmt::join(impossible, ",")));
  }
}

Status Planner::check() {
  std::set<std::string> keys;
  std::set<std::string> judged;
  for (const Point& point : plan_.points) {
    // Rooms do not depend on modes, so few have to be furnished.
    std::string room = point.scene;
    for (const auto& [name, value] : point.set) {
      room += fmt::format(" {}={}", name, value);
    }
    if (!judged.insert(room).second) {
      continue;
    }
    if (const auto scene = scene_of(point); !scene) {
      return tl::make_unexpected(scene.error());
    }
  }
  std::erase_if(plan_.points,
                [&](const Point& point) { return !keys.insert(key_of(point)).second; });
  if (plan_.points.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("nothing is left to measure: {}", fmt::join(plan_.notes, "; ")));
  }
  return {};
}

Result<Plan> Planner::make() {
  for (const Axis& axis : request_.axes) {
    const bool is_of_room = axis.name.find('.') != std::string::npos;
    if (!is_of_room && !is_modem_name(axis.name) && find_room_name(axis.name) == nullptr) {
      std::vector<std::string> names;
      for (const auto& [name, help] : sweep_names()) {
        names.push_back(name);
      }
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("nothing is called '{}'; --sweep knows {}, and every parameter of "
                              "the room (`wccl room --list`)",
                              axis.name, fmt::join(names, ", ")));
    }
  }
  Status status = add_scenes();
  if (status) {
    status = add_modes();
  }
  for (const Axis& axis : request_.axes) {
    if (status) {
      status = apply(axis);
    }
  }
  if (status) {
    settle_fps();
    status = check();
  }
  if (!status) {
    return tl::make_unexpected(status.error());
  }
  return std::move(plan_);
}

}  // namespace

Result<Plan> make_plan(const PlanRequest& request) {
  return Planner(request).make();
}

std::vector<std::pair<std::string, std::string>> sweep_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [name, help] : kModemNames) {
    names.emplace_back(name, help);
  }
  for (const RoomName& known : kRoomNames) {
    names.emplace_back(known.name, known.help);
  }
  return names;
}

const std::vector<std::string>& default_scenes() {
  static const std::vector<std::string> scenes{"face_1080p", "glare",     "turned", "dim",
                                               "face_720p",  "side_view", "phone"};
  return scenes;
}

const std::vector<std::string>& default_modes() {
  // From a safe one to the densest that is read at 60% of the width.
  static const std::vector<std::string> modes{"luma8-0.5", "rgb6-1.5", "rgb5-1.5", "rgb4-1.5",
                                              "rgb4-2.1",  "rgb3-1.5", "rgb3-1.8"};
  return modes;
}

}  // namespace wccl::eval
