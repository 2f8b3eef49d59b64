#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wccl/result.h"

namespace wccl::room {

inline constexpr int kMinNodes = 2;
inline constexpr int kMaxSceneNodes = 8;

/// An LCD panel.
struct PanelSpec {
  int width_px = 1920;
  int height_px = 1200;
  double width_mm = 344;  ///< Of the lit area; pixels are square.
  double refresh_hz = 60;
  double clock_ppm = 40;        ///< Each panel's clock is off by a draw from +- this.
  double scan_out_ms = 15;      ///< From the first row's change to the last row's.
  double settle_rise_ms = 4.5;  ///< Time constant of a pixel on its way to brighter.
  double settle_fall_ms = 4.0;  ///< Time constant of a pixel on its way to darker.
  double white_nits = 300;
  double contrast = 900;       ///< White over black, in the dark.
  double reflectance = 0.012;  ///< Share of the room's light that the panel sends back diffusely.
  double bezel_mm = 7;

  [[nodiscard]] double pixel_mm() const { return width_mm / width_px; }
  [[nodiscard]] double height_mm() const { return pixel_mm() * height_px; }
};

/// A webcam: lens, sensor, image processor and encoder.
struct CameraSpec {
  // Lens
  int width_px = 1920;
  int height_px = 1080;
  double fov_deg = 78;  ///< Horizontal, before distortion.
  double k1 = -0.06;    ///< Radial: r' = r (1 + k1 r^2), r in focal lengths. Negative is barrel.
  double psf_sigma_px = 0.75;  ///< Gaussian blur of lens, sharpness and sensor stack together.
  double vignetting = 0.35;    ///< Light lost in the corner of the picture.
  // Timing
  double fps = 30;
  double clock_ppm = 60;    ///< Each camera's clock is off by a draw from +- this.
  double jitter_ms = 0.15;  ///< Of the moment of a capture, one sigma.
  double readout_ms = 20;   ///< Rolling shutter: from the first row's read-out to the last one's.
  double latency_ms = 80;   ///< From the end of read-out to the arrival at the program.
  double latency_jitter_ms = 12;  ///< Exponentially distributed, on top.
  // Sensor
  double exposure_min_ms = 2;
  double exposure_max_ms = 16;
  double gain_min = 1;
  double gain_max = 8;
  double sensitivity = 1.6;  ///< Green electrons for each cd/m^2 and ms.
  double full_well_e = 8000;
  double read_noise_e = 3.5;
  bool shot_noise = true;
  int adc_bits = 10;
  /// Of camera R, G, B (rows) to panel R, G, B (columns); rows need not sum to 1.
  std::array<double, 9> crosstalk = {0.62, 0.16, 0.03, 0.10, 0.82, 0.08, 0.02, 0.17, 0.56};
  // Image processor
  double ae_target = 0.20;  ///< Mean of the picture in linear light that auto exposure wants.
  double ae_highlight =
      0.90;  ///< The brightest hundredth of the picture stays below this, in linear light.
  double ae_speed = 0.3;        ///< Share of the error (in stops) removed with each capture.
  double ae_start_stops = 1.5;  ///< The first capture is off by a draw from +- this.
  double awb_error = 0.10;      ///< Of red and blue gain at the first capture, one sigma.
  double awb_speed = 0.12;      ///< Share of that error removed with each capture.
  double awb_drift = 0.004;     ///< Random walk of red and blue gain for each capture, one sigma.
  double colour_correction = 0.9;  ///< Share of the crosstalk that the colour matrix undoes.
  double denoise = 0.35;           ///< 0 to 1.
  double sharpen = 0.5;            ///< Of the unsharp mask; 0 is off.
  // JPEG
  int quality_max = 92;
  int quality_min = 45;
  double frame_kilobytes = 500;    ///< What the bus carries for a frame: above it, quality drops.
  bool chroma_subsampling = true;  ///< 4:2:0; otherwise 4:4:4.
};

/// The light of the room. Screens light nothing but cameras.
struct LightSpec {
  double ambient_lux = 250;
  double colour_temperature_k = 4500;
  double clutter = 1;     ///< Contrast of the things in the background; 0 is a plain grey room.
  double glare_nits = 0;  ///< Peak of the reflected lamp on each panel.
  double glare_x = 0.68;  ///< Its place on the panel, in panel widths from the left edge.
  double glare_y = 0.30;  ///< In panel heights from the upper edge.
  double glare_sigma_mm = 35;
  double veil_nits = 0;  ///< Even haze over the picture: bright windows, dust on the lens.
};

/// How an arrangement places the nodes.
struct LayoutSpec {
  double screen_share = 0.60;  ///< A screen's share of the picture's width, where the lens allows.
  double turn_deg = 0;         ///< Each panel is turned by this about its vertical axis.
  double lean_deg = 10;        ///< Lids lean back as lids do; negative leans forward.
  double camera_height_mm = 118;  ///< Of the lens above the panel's centre: on the upper bezel.
  double aim_yaw_deg = 0.2;       ///< What the aim of each camera is off by.
  double aim_pitch_deg = -0.6;
  double aim_roll_deg = 0.7;
};

/// Where something is and where it faces. The world: x right, y up, z towards the reader; mm and
/// degrees. At yaw = pitch = roll = 0 it faces +z. Yaw turns it towards +x, pitch upwards, roll
/// clockwise as seen from its front.
struct Pose {
  double x_mm = 0;
  double y_mm = 0;
  double z_mm = 0;
  double yaw_deg = 0;
  double pitch_deg = 0;
  double roll_deg = 0;
};

/// One laptop: its panel with its webcam.
struct NodeSpec {
  PanelSpec panel;
  CameraSpec camera;
  Pose panel_pose;   ///< Centre of the lit area.
  Pose camera_pose;  ///< Centre of projection.
};

/// All that the room is, by value. The same scene and seed give the same light.
struct Scene {
  std::string name;
  std::string arrangement;  ///< Empty when the poses come from a file.
  LightSpec light;
  LayoutSpec layout;
  std::vector<NodeSpec> nodes;
};

[[nodiscard]] std::vector<std::string> scene_names();
/// What a scene is for, in a few words. @return empty for an unknown scene.
[[nodiscard]] std::string scene_description(std::string_view name);
[[nodiscard]] std::vector<std::string> arrangement_names();

/// @param name         One of scene_names().
/// @param arrangement  One of arrangement_names(), or the path of a pose file (docs/room.md); empty
/// is `pair` for
///                     two nodes and `horseshoe` for more.
/// @param n_nodes      kMinNodes to kMaxSceneNodes.
/// @return kNotFound with the known names; kInvalidArgument for a number of nodes that cannot be
/// placed so.
[[nodiscard]] Result<Scene> make_scene(std::string_view name,
                                       std::string_view arrangement,
                                       int n_nodes);

/// Sets one parameter from text such as `camera.exposure_ms=8` (for all nodes) or
/// `node1.camera.fps=10`, then places the nodes again when they were placed by an arrangement.
/// @return kNotFound with similar names; kInvalidArgument for a value outside the parameter's
/// range.
Status override_parameter(Scene& scene, std::string_view assignment);

/// One parameter of a scene for --help and docs.
struct ParameterInfo {
  std::string name;
  std::string help;   ///< With its unit.
  std::string value;  ///< In the scene asked about (of the first node where nodes differ).
  double min = 0;
  double max = 0;
};
[[nodiscard]] std::vector<ParameterInfo> list_parameters(const Scene& scene);

}  // namespace wccl::room
