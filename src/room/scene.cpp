#include "room/scene.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "room/layout.h"

namespace wccl::room {
namespace {

struct Preset {
  const char* name;
  const char* description;
  void (*apply)(NodeSpec& node, LightSpec& light, LayoutSpec& layout);
};

void face_1080p(NodeSpec& /*node*/, LightSpec& /*light*/, LayoutSpec& /*layout*/) {}

void face_720p(NodeSpec& node, LightSpec& /*light*/, LayoutSpec& /*layout*/) {
  node.camera.width_px = 1280;
  node.camera.height_px = 720;
  node.camera.frame_kilobytes = 250;
}

void turned(NodeSpec& /*node*/, LightSpec& /*light*/, LayoutSpec& layout) {
  layout.turn_deg = 20;
}

void side_view(NodeSpec& /*node*/, LightSpec& /*light*/, LayoutSpec& layout) {
  layout.screen_share = 0.38;
  layout.turn_deg = 25;
}

void dim(NodeSpec& node, LightSpec& light, LayoutSpec& /*layout*/) {
  light.ambient_lux = 8;
  light.colour_temperature_k = 3000;
  node.panel.white_nits = 45;
  node.camera.exposure_min_ms = 10;
  node.camera.exposure_max_ms = 26;
  node.camera.sensitivity = 0.7;
  node.camera.read_noise_e = 5;
  node.camera.gain_max = 16;
  node.camera.denoise = 0.6;
}

void glare(NodeSpec& node, LightSpec& light, LayoutSpec& /*layout*/) {
  light.ambient_lux = 900;
  light.colour_temperature_k = 5600;
  light.glare_nits = 140;
  light.veil_nits = 12;
  node.panel.reflectance = 0.03;
}

void far(NodeSpec& /*node*/, LightSpec& /*light*/, LayoutSpec& layout) {
  layout.screen_share = 0.20;
}

/// A telephone held in front of a screen: better optics, larger pixels, a sensor that is read out
/// faster, and pictures that were hardly compressed.
void phone(NodeSpec& node, LightSpec& /*light*/, LayoutSpec& layout) {
  layout.screen_share = 0.85;
  layout.lean_deg = layout.camera_height_mm = 0;
  layout.aim_pitch_deg = 0.3;
  CameraSpec& camera = node.camera;
  camera.fov_deg = 66;
  camera.k1 = -0.01;
  camera.psf_sigma_px = 0.55;
  camera.vignetting = 0.2;
  camera.readout_ms = 11;
  camera.exposure_max_ms = 12;
  camera.sensitivity = 3;
  camera.read_noise_e = 2;
  camera.denoise = 0.2;
  camera.sharpen = 0.3;
  camera.quality_max = 97;
  camera.quality_min = 85;
  camera.frame_kilobytes = 2000;
}

/// Nothing between panel and picture but geometry and time: what remains is the fault of whoever
/// debugs.
void ideal(NodeSpec& node, LightSpec& light, LayoutSpec& layout) {
  light.ambient_lux = 0;
  light.clutter = 0;
  layout.camera_height_mm = layout.lean_deg = 0;
  layout.aim_yaw_deg = layout.aim_pitch_deg = layout.aim_roll_deg = 0;
  node.panel.contrast = 1e6;
  node.panel.reflectance = 0;
  node.panel.clock_ppm = 0;
  node.panel.scan_out_ms = 0;
  node.panel.settle_rise_ms = node.panel.settle_fall_ms = 0;
  CameraSpec& camera = node.camera;
  camera.k1 = camera.psf_sigma_px = camera.vignetting = 0;
  camera.clock_ppm = camera.jitter_ms = camera.readout_ms = camera.latency_jitter_ms = 0;
  camera.exposure_min_ms = camera.exposure_max_ms = 8;
  camera.gain_min = camera.gain_max = 1;
  camera.sensitivity = 3;
  camera.read_noise_e = 0;
  camera.shot_noise = false;
  camera.adc_bits = 12;
  camera.crosstalk = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  camera.ae_start_stops = 0;
  camera.awb_error = camera.awb_drift = 0;
  camera.denoise = camera.sharpen = 0;
  camera.quality_max = camera.quality_min = 98;
  camera.frame_kilobytes = 100'000;
  camera.chroma_subsampling = false;
}

constexpr Preset kPresets[] = {
    {"face_1080p", "two laptops face to face, 1080p, the screen 60% of the picture's width",
     face_1080p},
    {"face_720p", "the same with a 720p webcam", face_720p},
    {"turned", "face_1080p with the screen turned by 20 degrees", turned},
    {"side_view", "the screen 38% of the width, turned by 25 degrees", side_view},
    {"dim", "a dim panel in a dark room: long exposure, high gain, noise", dim},
    {"glare", "a bright room: veil over the picture and a lamp reflected in the panel", glare},
    {"far", "the screen 20% of the width", far},
    {"phone", "a telephone in front of a screen that fills the picture's height", phone},
    {"ideal", "no blur, noise, distortion or rolling shutter: for debugging", ideal},
};
constexpr const char* kArrangements[] = {"pair", "horseshoe", "circle"};

const Preset* find_preset(std::string_view name) {
  const auto* found = std::find_if(std::begin(kPresets), std::end(kPresets),
                                   [&](const Preset& preset) { return name == preset.name; });
  return found == std::end(kPresets) ? nullptr : found;
}

bool is_arrangement(std::string_view name) {
  return std::find(std::begin(kArrangements), std::end(kArrangements), name) !=
         std::end(kArrangements);
}

Status check_arrangement(std::string_view arrangement, int n_nodes) {
  if (n_nodes < kMinNodes || n_nodes > kMaxSceneNodes) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("the room holds {} to {} nodes, not {}",
                                                         kMinNodes, kMaxSceneNodes, n_nodes));
  }
  if (arrangement == "pair" && n_nodes != 2) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("arrangement 'pair' is for 2 nodes, not {}; use horseshoe or circle", n_nodes));
  }
  if (!is_arrangement(arrangement) &&
      !std::filesystem::is_regular_file(std::filesystem::path(arrangement))) {
    return fail(ErrorCode::kNotFound,
                fmt::format("unknown arrangement '{}': it is neither a pose file nor one of {}",
                            arrangement, fmt::join(kArrangements, ", ")));
  }
  return {};
}

}  // namespace

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const Preset& preset : kPresets) {
    names.emplace_back(preset.name);
  }
  return names;
}

std::string scene_description(std::string_view name) {
  const Preset* preset = find_preset(name);
  return preset != nullptr ? preset->description : "";
}

std::vector<std::string> arrangement_names() {
  return {std::begin(kArrangements), std::end(kArrangements)};
}

Result<Scene> make_scene(std::string_view name, std::string_view arrangement, int n_nodes) {
  const Preset* preset = find_preset(name);
  if (preset == nullptr) {
    return fail(ErrorCode::kNotFound, fmt::format("unknown scene '{}': the scenes are {}", name,
                                                  fmt::join(scene_names(), ", ")));
  }
  const std::string_view default_arrangement = n_nodes == 2 ? "pair" : "horseshoe";
  const std::string_view chosen = arrangement.empty() ? default_arrangement : arrangement;
  if (auto ok = check_arrangement(chosen, n_nodes); !ok) {
    return tl::make_unexpected(ok.error());
  }

  NodeSpec node;
  Scene scene;
  scene.name = name;
  preset->apply(node, scene.light, scene.layout);
  scene.nodes.assign(static_cast<std::size_t>(n_nodes), node);
  if (is_arrangement(chosen)) {
    scene.arrangement = chosen;
    place_nodes(scene);
  } else if (auto read = read_poses(std::filesystem::path(chosen), scene); !read) {
    return tl::make_unexpected(read.error());
  }
  return scene;
}

}  // namespace wccl::room
