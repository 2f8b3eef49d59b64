#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "room/layout.h"
#include "room/scene.h"

namespace wccl::room {
namespace {

using Matrix = std::array<double, 9>;

/// One parameter of one struct: where it is, what it may be.
template <class Spec>
struct Field {
  const char* name;
  std::variant<double Spec::*, int Spec::*, bool Spec::*, Matrix Spec::*> member;
  double min;
  double max;
  const char* help;
};

using P = PanelSpec;
constexpr Field<P> kPanelFields[] = {
    {"width_px", &P::width_px, 64, 4095, "panel width in pixels"},
    {"height_px", &P::height_px, 64, 4095, "panel height in pixels"},
    {"width_mm", &P::width_mm, 10, 5000, "width of the lit area in mm"},
    {"refresh_hz", &P::refresh_hz, 1, 500, "refresh rate in Hz"},
    {"clock_ppm", &P::clock_ppm, 0, 10'000, "spread of the panels' clocks in ppm"},
    {"scan_out_ms", &P::scan_out_ms, 0, 100, "from the first row's change to the last row's in ms"},
    {"settle_rise_ms", &P::settle_rise_ms, 0, 100, "time constant of brightening in ms"},
    {"settle_fall_ms", &P::settle_fall_ms, 0, 100, "time constant of darkening in ms"},
    {"white_nits", &P::white_nits, 0.1, 10'000, "white in cd/m^2"},
    {"contrast", &P::contrast, 1, 1e9, "white over black in the dark"},
    {"reflectance", &P::reflectance, 0, 1, "share of the room's light that the panel sends back"},
    {"bezel_mm", &P::bezel_mm, 0, 500, "width of the dark frame around the lit area in mm"},
};

using C = CameraSpec;
constexpr Field<C> kCameraFields[] = {
    {"width_px", &C::width_px, 64, 4096, "picture width in pixels, even"},
    {"height_px", &C::height_px, 64, 4096, "picture height in pixels, even"},
    {"fov_deg", &C::fov_deg, 5, 150, "horizontal field of view in degrees"},
    {"k1", &C::k1, -0.3, 0.3, "radial distortion r' = r (1 + k1 r^2), r in focal lengths"},
    {"psf_sigma_px", &C::psf_sigma_px, 0, 8, "Gaussian blur in pixels"},
    {"vignetting", &C::vignetting, 0, 0.95, "share of the light lost in the picture's corner"},
    {"fps", &C::fps, 0.5, 240, "captures per second"},
    {"clock_ppm", &C::clock_ppm, 0, 10'000, "spread of the cameras' clocks in ppm"},
    {"jitter_ms", &C::jitter_ms, 0, 50, "jitter of the moment of a capture in ms, one sigma"},
    {"readout_ms", &C::readout_ms, 0, 200,
     "rolling shutter from first to last row in ms; 0 is a global shutter"},
    {"latency_ms", &C::latency_ms, 0, 2000, "from the end of read-out to arrival in ms"},
    {"latency_jitter_ms", &C::latency_jitter_ms, 0, 1000,
     "mean of the exponential part of the latency in ms"},
    {"exposure_min_ms", &C::exposure_min_ms, 0.01, 500, "shortest exposure in ms"},
    {"exposure_max_ms", &C::exposure_max_ms, 0.01, 500, "longest exposure in ms"},
    {"gain_min", &C::gain_min, 0.1, 1000, "lowest gain"},
    {"gain_max", &C::gain_max, 0.1, 1000, "highest gain"},
    {"sensitivity", &C::sensitivity, 0.001, 1000, "green electrons for each cd/m^2 and ms"},
    {"full_well_e", &C::full_well_e, 10, 1e7, "full well in electrons"},
    {"read_noise_e", &C::read_noise_e, 0, 1000, "read noise in electrons"},
    {"shot_noise", &C::shot_noise, 0, 1, "0 turns photon noise off"},
    {"adc_bits", &C::adc_bits, 6, 12, "bits of the converter"},
    {"crosstalk", &C::crosstalk, 0, 10, "9 numbers: camera R, G, B (rows) to panel R, G, B"},
    {"ae_target", &C::ae_target, 0.01, 0.9, "mean in linear light that auto exposure wants"},
    {"ae_highlight", &C::ae_highlight, 0.05, 2,
     "what the brightest hundredth stays below, in linear light"},
    {"ae_speed", &C::ae_speed, 0, 1, "share of the exposure error removed with each capture"},
    {"ae_start_stops", &C::ae_start_stops, 0, 6, "spread of the first capture's exposure in stops"},
    {"awb_error", &C::awb_error, 0, 0.5,
     "error of the first capture's red and blue gain, one sigma"},
    {"awb_speed", &C::awb_speed, 0, 1, "share of that error removed with each capture"},
    {"awb_drift", &C::awb_drift, 0, 0.1, "random walk of the gains for each capture, one sigma"},
    {"colour_correction", &C::colour_correction, 0, 1, "share of the crosstalk that is undone"},
    {"denoise", &C::denoise, 0, 1, "strength of the noise filter"},
    {"sharpen", &C::sharpen, 0, 4, "strength of the unsharp mask"},
    {"quality_max", &C::quality_max, 1, 100, "highest JPEG quality"},
    {"quality_min", &C::quality_min, 1, 100, "lowest JPEG quality"},
    {"frame_kilobytes", &C::frame_kilobytes, 5, 1e6, "kB a frame above which quality drops"},
    {"chroma_subsampling", &C::chroma_subsampling, 0, 1, "1: 4:2:0, 0: 4:4:4"},
};

using L = LightSpec;
constexpr Field<L> kLightFields[] = {
    {"ambient_lux", &L::ambient_lux, 0, 100'000, "light of the room in lux"},
    {"colour_temperature_k", &L::colour_temperature_k, 1500, 20'000, "its colour temperature in K"},
    {"clutter", &L::clutter, 0, 1, "contrast of the background's things"},
    {"glare_nits", &L::glare_nits, 0, 100'000,
     "peak of the lamp reflected in each panel in cd/m^2"},
    {"glare_x", &L::glare_x, -2, 3, "its place in panel widths from the left"},
    {"glare_y", &L::glare_y, -2, 3, "its place in panel heights from the top"},
    {"glare_sigma_mm", &L::glare_sigma_mm, 1, 2000, "its size in mm, one sigma"},
    {"veil_nits", &L::veil_nits, 0, 100'000, "even haze over the picture in cd/m^2"},
};

using Y = LayoutSpec;
constexpr Field<Y> kLayoutFields[] = {
    {"screen_share", &Y::screen_share, 0.02, 3, "a screen's share of the picture's width"},
    {"turn_deg", &Y::turn_deg, -80, 80, "turn of each panel in degrees"},
    {"lean_deg", &Y::lean_deg, -80, 80, "how far each panel leans back in degrees"},
    {"camera_height_mm", &Y::camera_height_mm, -2000, 2000, "lens above the panel's centre in mm"},
    {"aim_yaw_deg", &Y::aim_yaw_deg, -90, 90, "error of each camera's aim, sideways, in degrees"},
    {"aim_pitch_deg", &Y::aim_pitch_deg, -90, 90, "the same, upwards"},
    {"aim_roll_deg", &Y::aim_roll_deg, -180, 180, "the same, about the optical axis"},
};

using O = Pose;
constexpr Field<O> kPoseFields[] = {
    {"x_mm", &O::x_mm, -1e5, 1e5, "place, right, in mm"},
    {"y_mm", &O::y_mm, -1e5, 1e5, "place, up, in mm"},
    {"z_mm", &O::z_mm, -1e5, 1e5, "place, towards the reader, in mm"},
    {"yaw_deg", &O::yaw_deg, -360, 360, "turn towards +x in degrees"},
    {"pitch_deg", &O::pitch_deg, -90, 90, "turn upwards in degrees"},
    {"roll_deg", &O::roll_deg, -360, 360, "turn clockwise as seen from its front in degrees"},
};

/// One name for two fields: the automatic is then off.
struct Pinned {
  const char* name;
  const char* low;
  const char* high;
};
constexpr Pinned kPinned[] = {
    {"camera.exposure_ms", "camera.exposure_min_ms", "camera.exposure_max_ms"},
    {"camera.gain", "camera.gain_min", "camera.gain_max"},
    {"camera.quality", "camera.quality_min", "camera.quality_max"},
};

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::vector<double>> parse_numbers(std::string_view text) {
  std::vector<double> values;
  while (true) {
    const auto comma = text.find(',');
    const auto value = parse_number(text.substr(0, comma));
    if (!value) {
      return std::nullopt;
    }
    values.push_back(*value);
    if (comma == std::string_view::npos) {
      return values;
    }
    text.remove_prefix(comma + 1);
  }
}

template <class Spec>
Status set_field(Spec& spec,
                 const Field<Spec>& field,
                 std::string_view name,
                 std::string_view text) {
  const bool is_matrix = std::holds_alternative<Matrix Spec::*>(field.member);
  const std::size_t n_wanted = is_matrix ? 9 : 1;
  const auto values = parse_numbers(text);
  if (!values || values->size() != n_wanted) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}={}: needs {} ({})", name, text,
                            is_matrix ? "9 numbers with commas" : "a number", field.help));
  }
  for (const double value : *values) {
    const bool fits = std::holds_alternative<double Spec::*>(field.member) || is_matrix ||
                      value == std::floor(value);
    if (value < field.min || value > field.max || !fits) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}={}: must be {}from {} to {} ({})", name, text,
                              fits ? "" : "a whole number ", field.min, field.max, field.help));
    }
  }
  std::visit(
      [&](auto member) {
        using Value = std::remove_reference_t<decltype(spec.*member)>;
        if constexpr (std::is_same_v<Value, Matrix>) {
          std::copy(values->begin(), values->end(), (spec.*member).begin());
        } else {
          spec.*member = static_cast<Value>(values->front());
        }
      },
      field.member);
  return {};
}

template <class Spec>
std::string value_of(const Spec& spec, const Field<Spec>& field) {
  return std::visit(
      [&](auto member) {
        using Value = std::remove_cvref_t<decltype(spec.*member)>;
        if constexpr (std::is_same_v<Value, Matrix>) {
          return fmt::format("{}", fmt::join(spec.*member, ","));
        } else if constexpr (std::is_same_v<Value, bool>) {
          return std::string(spec.*member ? "1" : "0");
        } else {
          return fmt::format("{}", spec.*member);
        }
      },
      field.member);
}

/// Calls visit(group, fields, spec) for every group of `scene`; nodes' groups with the specs of
/// `node`.
template <class Visit>
void for_each_group(Scene& scene, NodeSpec& node, const Visit& visit) {
  visit("panel", std::span(kPanelFields), node.panel);
  visit("camera", std::span(kCameraFields), node.camera);
  visit("light", std::span(kLightFields), scene.light);
  visit("layout", std::span(kLayoutFields), scene.layout);
  visit("panel_pose", std::span(kPoseFields), node.panel_pose);
  visit("camera_pose", std::span(kPoseFields), node.camera_pose);
}

Status unknown_parameter(const Scene& scene, std::string_view name) {
  const std::string_view leaf = name.substr(std::min(name.size(), name.rfind('.') + 1));
  std::vector<std::string> similar;
  for (const ParameterInfo& info : list_parameters(scene)) {
    const bool shares_leaf =
        !leaf.empty() && info.name.find(leaf.substr(0, 4)) != std::string::npos;
    const bool shares_group = info.name.compare(0, name.size(), name) == 0;
    if (shares_leaf || shares_group) {
      similar.push_back(info.name);
    }
  }
  const std::string hint = similar.empty() ? "they start with panel., camera., light. or layout."
                                           : fmt::format("similar: {}", fmt::join(similar, ", "));
  return fail(ErrorCode::kNotFound, fmt::format("unknown parameter '{}'; {}", name, hint));
}

/// Sets `name` in the shared groups and in `node`. @return whether such a parameter exists, or why
/// the value is bad.
Result<bool> set_in(Scene& scene, NodeSpec& node, std::string_view name, std::string_view value) {
  bool found = false;
  Status status;
  for_each_group(scene, node, [&](std::string_view group, const auto& fields, auto& spec) {
    for (const auto& field : fields) {
      if (name != fmt::format("{}.{}", group, field.name)) {
        continue;
      }
      found = true;
      status = set_field(spec, field, name, value);
    }
  });
  if (!status) {
    return tl::make_unexpected(status.error());
  }
  return found;
}

Status check_node(const NodeSpec& node) {
  const CameraSpec& camera = node.camera;
  if (camera.exposure_min_ms > camera.exposure_max_ms || camera.gain_min > camera.gain_max ||
      camera.quality_min > camera.quality_max) {
    return fail(
        ErrorCode::kInvalidArgument,
        "a camera's minimum of exposure, gain or quality is above its maximum; camera.exposure_ms, "
        "camera.gain and camera.quality set both");
  }
  if (camera.width_px % 2 != 0 || camera.height_px % 2 != 0) {
    return fail(ErrorCode::kInvalidArgument, "camera.width_px and camera.height_px must be even");
  }
  return {};
}

/// `node1.camera.fps` -> 1 and `camera.fps`; without the prefix all nodes are meant.
struct Target {
  std::optional<std::size_t> node;
  std::string_view name;
};

Result<Target> parse_target(const Scene& scene, std::string_view name) {
  const auto dot = name.find('.');
  if (!name.starts_with("node") || dot == std::string_view::npos || dot == 4) {
    return Target{std::nullopt, name};
  }
  const auto number = parse_number(name.substr(4, dot - 4));
  if (!number || *number < 0 || *number >= static_cast<double>(scene.nodes.size()) ||
      *number != std::floor(*number)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' names a node that is not there: node0 to node{}", name,
                            scene.nodes.size() - 1));
  }
  return Target{static_cast<std::size_t>(*number), name.substr(dot + 1)};
}

Status set_parameter(Scene& scene,
                     const Target& target,
                     std::string_view name,
                     std::string_view value) {
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    if (target.node && *target.node != i) {
      continue;
    }
    const auto found = set_in(scene, scene.nodes[i], name, value);
    if (!found) {
      return tl::make_unexpected(found.error());
    }
    if (!*found) {
      return unknown_parameter(scene, name);
    }
  }
  return {};
}

}  // namespace

Status override_parameter(Scene& scene, std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' sets nothing; write NAME=VALUE, such as camera.exposure_ms=8",
                            assignment));
  }
  const auto target = parse_target(scene, assignment.substr(0, equals));
  if (!target) {
    return tl::make_unexpected(target.error());
  }
  const std::string_view value = assignment.substr(equals + 1);

  Scene changed = scene;
  const auto* pinned = std::find_if(std::begin(kPinned), std::end(kPinned),
                                    [&](const Pinned& p) { return target->name == p.name; });
  if (pinned == std::end(kPinned)) {
    if (auto set = set_parameter(changed, *target, target->name, value); !set) {
      return set;
    }
  } else {
    for (const char* name : {pinned->low, pinned->high}) {
      if (auto set = set_parameter(changed, *target, name, value); !set) {
        return set;
      }
    }
  }
  for (const NodeSpec& node : changed.nodes) {
    if (auto ok = check_node(node); !ok) {
      return ok;
    }
  }
  // A pose set by hand stays: the arrangement no longer holds.
  if (target->name.find("_pose.") != std::string_view::npos) {
    changed.arrangement.clear();
  }
  place_nodes(changed);
  scene = std::move(changed);
  return {};
}

std::vector<ParameterInfo> list_parameters(const Scene& scene) {
  Scene copy = scene;
  NodeSpec no_node;
  NodeSpec& node = copy.nodes.empty() ? no_node : copy.nodes.front();
  std::vector<ParameterInfo> list;
  for_each_group(copy, node, [&](std::string_view group, const auto& fields, auto& spec) {
    for (const auto& field : fields) {
      list.push_back({fmt::format("{}.{}", group, field.name), field.help, value_of(spec, field),
                      field.min, field.max});
    }
  });
  return list;
}

}  // namespace wccl::room
