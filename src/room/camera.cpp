#include "room/camera.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/rng.h"
#include "room/automatics.h"
#include "room/backdrop.h"
#include "room/image_processor.h"
#include "room/jpeg.h"
#include "room/mosaic.h"
#include "room/screen_light.h"
#include "room/sensor.h"

namespace wccl::room {
namespace {

constexpr std::uint64_t kAutomaticsStream = 1;
constexpr std::uint64_t kNoiseStream = 2;

/// Noise of a mid-grey pixel in 8-bit steps of the sRGB curve, as firmware has it from its gain
/// table.
double grey_noise(const CameraSpec& camera, Exposure exposure) {
  constexpr double kGrey = 0.2;
  const double full_e = camera.full_well_e / exposure.gain;
  const double shot_e2 = camera.shot_noise ? kGrey * full_e : 0;
  const double sigma = std::sqrt(shot_e2 + camera.read_noise_e * camera.read_noise_e) / full_e;
  constexpr double kSlope = 1.2;  // of the sRGB curve at that grey
  return 255 * kSlope * sigma;
}

}  // namespace

struct Camera::State {
  State(const Scene& scene, int node_number, std::uint64_t seed);

  [[nodiscard]] double first_guess_ms() const;

  int node = 0;
  CameraSpec spec;
  std::vector<std::unique_ptr<ScreenLight>> screens;  ///< One per node; null for this one.
  MosaicPlane backdrop;
  Sensor sensor;
  ImageProcessor processor;
  JpegCodec jpeg;
  Automatics automatics;
  Rng noise;
  RawPicture raw;
  std::uint64_t n_captures = 0;
  CaptureInfo info;
  double panel_ms = 0;  ///< Scan-out and settling of the slowest panel.
};

namespace {

std::vector<std::unique_ptr<ScreenLight>> screens_around(const Scene& scene, std::size_t node) {
  std::vector<std::unique_ptr<ScreenLight>> screens(scene.nodes.size());
  for (std::size_t i = 0; i < screens.size(); ++i) {
    if (i != node) {
      screens[i] = std::make_unique<ScreenLight>(scene.nodes[node], scene.nodes[i]);
    }
  }
  return screens;
}

}  // namespace

Camera::State::State(const Scene& scene, int node_number, std::uint64_t seed)
    : node(node_number),
      spec(scene.nodes[static_cast<std::size_t>(node)].camera),
      screens(screens_around(scene, static_cast<std::size_t>(node))),
      backdrop(make_backdrop(scene, node)),
      sensor(spec),
      processor(spec),
      automatics(spec,
                 processor.neutral(),
                 first_guess_ms(),
                 Rng(seed).split(static_cast<std::uint64_t>(node)).split(kAutomaticsStream)),
      noise(Rng(seed).split(static_cast<std::uint64_t>(node)).split(kNoiseStream)),
      raw(sensor.make_raw(spec.width_px, spec.height_px)) {
  for (const NodeSpec& other : scene.nodes) {
    const PanelSpec& panel = other.panel;
    panel_ms = std::max(
        panel_ms, panel.scan_out_ms + 10 * std::max(panel.settle_rise_ms, panel.settle_fall_ms));
  }
}

/// What would expose the room and half-lit screens well.
double Camera::State::first_guess_ms() const {
  double sum = 0;
  for (const float nits : backdrop.values) {
    sum += nits;
  }
  for (const auto& screen : screens) {
    if (!screen) {
      continue;
    }
    const Region& region = screen->projector().region();
    sum += 0.4 * screen->white_nits() * region.width * region.height;
  }
  const double mean = std::max(sum / static_cast<double>(backdrop.values.size()), 1e-3);
  return sensor.full_scale_nits({1, 1}) / (mean / spec.ae_target);
}

Camera::Camera(const Scene& scene, int node, std::uint64_t seed)
    : state_(std::make_unique<State>(scene, node, seed)) {}
Camera::~Camera() = default;
Camera::Camera(Camera&&) noexcept = default;
Camera& Camera::operator=(Camera&&) noexcept = default;

YuvImage Camera::capture(std::span<const PanelHistory> panels, Instant captured_at) {
  State& state = *state_;
  assert(panels.size() == state.screens.size());
  const Exposure exposure = state.automatics.exposure();
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (state.screens[i]) {
      state.screens[i]->prepare(panels[i], captured_at, exposure.ms);
    }
  }
  Rng rng = state.noise.split(state.n_captures++);
  std::vector<float> nits(static_cast<std::size_t>(state.spec.width_px));
  for (int y = 0; y < state.spec.height_px; ++y) {
    std::copy_n(state.backdrop.row(y), nits.size(), nits.begin());
    for (const auto& screen : state.screens) {
      if (screen) {
        screen->add_row(y, nits);
      }
    }
    state.sensor.expose(nits, exposure, rng, {state.raw.row(y), nits.size()});
  }
  YuvImage image = state.processor.develop(state.raw, state.automatics.balance(),
                                           grey_noise(state.spec, exposure));
  const int quality = state.automatics.jpeg_quality();
  const std::size_t n_bytes = state.jpeg.round_trip(image, quality);
  state.info = {exposure.ms, exposure.gain, quality, n_bytes};
  state.automatics.update(state.raw, n_bytes);
  return image;
}

void Camera::change(const Scene& scene) {
  State& state = *state_;
  const auto node = static_cast<std::size_t>(state.node);
  state.spec = scene.nodes[node].camera;
  state.screens = screens_around(scene, node);
  state.backdrop = make_backdrop(scene, state.node);
  state.sensor = Sensor(state.spec);
  state.processor = ImageProcessor(state.spec);
  state.automatics.adopt(state.spec);
}

const CaptureInfo& Camera::last() const {
  return state_->info;
}

std::span<const std::byte> Camera::last_jpeg() const {
  return state_->jpeg.last();
}

Duration Camera::history() const {
  return from_seconds(1e-3 * (state_->spec.exposure_max_ms + state_->panel_ms));
}

}  // namespace wccl::room
