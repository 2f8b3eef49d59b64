#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>

#include "base/rng.h"
#include "room/camera.h"
#include "room/geometry.h"
#include "room/mosaic.h"
#include "room/screen_light.h"
#include "room/screen_projector.h"
#include "room/sensor.h"
#include "room/settling.h"
#include "room/visibility.h"

namespace wccl::room {
namespace {

using std::chrono::milliseconds;

constexpr std::array<double, 9> kNoCrosstalk = {1, 0, 0, 0, 1, 0, 0, 0, 1};

Scene scene_of(const char* name) {
  return make_scene(name, "", 2).value();
}

ScreenProjector projector_of(const Scene& scene) {
  return {scene.nodes[0].camera, scene.nodes[0].camera_pose, scene.nodes[1].panel,
          scene.nodes[1].panel_pose};
}

std::shared_ptr<RgbImage> grey(const PanelSpec& panel, std::uint8_t value) {
  auto image = std::make_shared<RgbImage>(panel.width_px, panel.height_px);
  std::fill(image->pixels.begin(), image->pixels.end(), value);
  return image;
}

void paint(RgbImage& image, int left, int top, int size) {
  for (int y = top; y < top + size; ++y) {
    std::fill_n(image.row(y) + 3 * left, 3 * size, std::uint8_t{255});
  }
}

TEST(Lens, ProjectsAsAPinholeWithOneRadialTerm) {
  CameraSpec camera;
  camera.fov_deg = 90;
  camera.k1 = -0.05;
  const Lens lens(camera, Pose{.x_mm = 10, .y_mm = 20, .z_mm = 30});
  // It faces +z, so that +x of the world is on the picture's left.
  const Point p = lens.project({10 - 100, 20 + 50, 30 + 400}).value();
  const double x = 100.0 / 400;
  const double y = -50.0 / 400;
  const double stretch = 960 * (1 - 0.05 * (x * x + y * y));
  EXPECT_NEAR(p.x, 960 + stretch * x, 1e-9);
  EXPECT_NEAR(p.y, 540 + stretch * y, 1e-9);
  EXPECT_FALSE(lens.project({10, 20, 29}));
}

TEST(Lens, RayUndoesProject) {
  const CameraSpec camera;
  const Lens lens(
      camera,
      Pose{.x_mm = 1, .y_mm = 2, .z_mm = 3, .yaw_deg = 20, .pitch_deg = -10, .roll_deg = 33});
  for (const Point pixel :
       {Point{0, 0}, Point{1920, 3}, Point{960, 540}, Point{1500.25, 1000.75}}) {
    const Point again = lens.project(lens.centre() + 700 * lens.ray(pixel)).value();
    EXPECT_NEAR(again.x, pixel.x, 1e-6);
    EXPECT_NEAR(again.y, pixel.y, 1e-6);
  }
}

TEST(Geometry, PanelsReadTheRightWayRoundInTheOthersCamera) {
  const View view = look_around(scene_of("face_1080p")).view(0, 1);
  EXPECT_LT(view.corners[0].x, view.corners[1].x);  // top left is left of top right
  EXPECT_LT(view.corners[0].y, view.corners[3].y);  // and above bottom left
}

TEST(Geometry, PlaneIntersectUndoesAt) {
  const PanelSpec panel;
  const PanelPlane plane(
      panel,
      Pose{.x_mm = 5, .y_mm = 6, .z_mm = 7, .yaw_deg = 170, .pitch_deg = 12, .roll_deg = -40});
  const Vec3 eye = plane.centre() + 500 * plane.normal() + Vec3{60, -40, 10};
  const Point hit = plane.intersect(eye, plane.at({123.5, 987.25}) - eye).value();
  EXPECT_NEAR(hit.x, 123.5, 1e-9);
  EXPECT_NEAR(hit.y, 987.25, 1e-9);
}

struct Centroid {
  double x = 0;
  double y = 0;
  double light = 0;
};

/// Of light in a region's picture, in camera pixels.
Centroid centroid_of(const ScreenProjector& projector, const PanelLight& picture) {
  const Region& region = projector.region();
  std::vector<float> row(static_cast<std::size_t>(region.width));
  Centroid sum;
  for (int y = 0; y < region.height; ++y) {
    projector.project_row(picture, y, row);
    for (int x = 0; x < region.width; ++x) {
      const double light = row[static_cast<std::size_t>(x)];
      sum.x += light * (region.x + x + 0.5);
      sum.y += light * (region.y + y + 0.5);
      sum.light += light;
    }
  }
  return {sum.x / sum.light, sum.y / sum.light, sum.light};
}

TEST(ScreenProjector, DotsLandWhereTheClosedFormSays) {
  for (const char* name : {"face_1080p", "side_view", "far", "ideal"}) {
    Scene scene = scene_of(name);
    for (NodeSpec& node : scene.nodes) {
      node.camera.vignetting = 0;
    }
    const ScreenProjector projector = projector_of(scene);
    const PanelSpec& panel = scene.nodes[1].panel;
    const Lens lens(scene.nodes[0].camera, scene.nodes[0].camera_pose);
    const PanelPlane plane(panel, scene.nodes[1].panel_pose);
    PanelLight linear(panel.width_px, panel.height_px, projector.margin(), kNoCrosstalk);
    for (const auto& [left, top] :
         {std::pair{40, 30}, std::pair{1000, 600}, std::pair{1850, 77}, std::pair{333, 1150}}) {
      RgbImage dot(panel.width_px, panel.height_px);
      paint(dot, left, top, 3);
      linear.load(dot);
      const Centroid seen = centroid_of(projector, linear);
      const Point expected = lens.project(plane.at({left + 1.5, top + 1.5})).value();
      EXPECT_NEAR(seen.x, expected.x, 0.05) << name;
      EXPECT_NEAR(seen.y, expected.y, 0.05) << name;
    }
  }
}

TEST(ScreenProjector, ADotsLightIsItsAreaInThePicture) {
  Scene scene = scene_of("ideal");
  const ScreenProjector projector = projector_of(scene);
  const PanelSpec& panel = scene.nodes[1].panel;
  PanelLight linear(panel.width_px, panel.height_px, projector.margin(), kNoCrosstalk);
  RgbImage dot(panel.width_px, panel.height_px);
  paint(dot, 700, 500, 5);
  linear.load(dot);
  const double camera_px_per_panel_px = 0.60 * 1920 / panel.width_px;
  const double area = 25 * camera_px_per_panel_px * camera_px_per_panel_px;
  EXPECT_NEAR(centroid_of(projector, linear).light, area, 0.01 * area);
}

TEST(ScreenProjector, BlurAndPixelWidenADotByTheirVariances) {
  Scene scene = scene_of("ideal");
  const double sigma = 0.9;
  scene.nodes[0].camera.psf_sigma_px = sigma;
  const ScreenProjector projector = projector_of(scene);
  const PanelSpec& panel = scene.nodes[1].panel;
  PanelLight light(panel.width_px, panel.height_px, projector.margin(), kNoCrosstalk);
  RgbImage dot(panel.width_px, panel.height_px);
  paint(dot, 801, 403, 3);
  light.load(dot);
  const Centroid middle = centroid_of(projector, light);
  const Region& region = projector.region();
  std::vector<float> row(static_cast<std::size_t>(region.width));
  double squares = 0;
  for (int y = 0; y < region.height; ++y) {
    projector.project_row(light, y, row);
    for (int x = 0; x < region.width; ++x) {
      const double off = region.x + x + 0.5 - middle.x;
      squares += row[static_cast<std::size_t>(x)] * off * off;
    }
  }
  const double dot_px = 3 * 0.6;
  // The blur's tails beyond 2.6 sigma are cut, which takes 3% of its variance and some of what its
  // edge smears.
  EXPECT_NEAR(squares / middle.light, sigma * sigma + 1.0 / 12 + dot_px * dot_px / 12, 0.06);
}

TEST(ScreenProjector, ARolledCameraSeesTheSameLightAsALevelOne) {
  Scene scene = scene_of("ideal");
  scene.nodes[0].camera.psf_sigma_px = 0.8;
  const PanelSpec& panel = scene.nodes[1].panel;
  RgbImage dot(panel.width_px, panel.height_px);
  paint(dot, 900, 640, 9);
  double level_light = 0;
  for (const double roll_deg : {0.0, 1.0, 20.0, 45.0, 90.0, 180.0}) {
    scene.nodes[0].camera_pose.roll_deg = roll_deg;
    const ScreenProjector projector = projector_of(scene);
    PanelLight light(panel.width_px, panel.height_px, projector.margin(), kNoCrosstalk);
    light.load(dot);
    const Centroid seen = centroid_of(projector, light);
    if (roll_deg == 0) {
      level_light = seen.light;
    }
    const Lens lens(scene.nodes[0].camera, scene.nodes[0].camera_pose);
    const Point expected =
        lens.project(PanelPlane(panel, scene.nodes[1].panel_pose).at({904.5, 644.5})).value();
    EXPECT_NEAR(seen.x, expected.x, 0.05) << roll_deg;
    EXPECT_NEAR(seen.y, expected.y, 0.05) << roll_deg;
    EXPECT_NEAR(seen.light / level_light, 1, 0.01) << roll_deg;
  }
}

TEST(ScreenProjector, UniformPanelsComeOutUniform) {
  for (const char* name : {"face_1080p", "side_view", "far"}) {
    Scene scene = scene_of(name);
    scene.nodes[0].camera.vignetting = 0;
    const ScreenProjector projector = projector_of(scene);
    const PanelSpec& panel = scene.nodes[1].panel;
    PanelLight linear(panel.width_px, panel.height_px, projector.margin(), kNoCrosstalk);
    linear.load(*grey(panel, 255));
    const Region& region = projector.region();
    std::vector<float> row(static_cast<std::size_t>(region.width));
    projector.project_row(linear, region.height / 2, row);
    for (int x = region.width / 3; x < 2 * region.width / 3; ++x) {
      ASSERT_NEAR(row[static_cast<std::size_t>(x)], 1.0F, 2e-4) << name;
    }
  }
}

TEST(ScreenProjector, FineStripesKeepTheirMeanAndDoNotAlias) {
  Scene scene = scene_of("far");  // five panel pixels to a camera pixel
  scene.nodes[0].camera.vignetting = 0;
  const ScreenProjector projector = projector_of(scene);
  const PanelSpec& panel = scene.nodes[1].panel;
  RgbImage stripes(panel.width_px, panel.height_px);
  for (int y = 0; y < panel.height_px; ++y) {
    for (int x = 0; x < panel.width_px; x += 2) {
      std::fill_n(stripes.row(y) + 3 * x, 3, std::uint8_t{255});
    }
  }
  PanelLight linear(panel.width_px, panel.height_px, projector.margin(), kNoCrosstalk);
  linear.load(stripes);
  const Region& region = projector.region();
  std::vector<float> row(static_cast<std::size_t>(region.width));
  double sum = 0;
  int n = 0;
  for (int y = region.height / 3; y < 2 * region.height / 3; ++y) {
    projector.project_row(linear, y, row);
    for (int x = region.width / 3; x < 2 * region.width / 3; ++x, ++n) {
      const double value = row[static_cast<std::size_t>(x)];
      sum += value;
      // A box over w stripes of period 2 errs by at most 1 / (2 w): sampling points would swing
      // from 0 to 1.
      ASSERT_NEAR(value, 0.5, 0.13);
    }
  }
  EXPECT_NEAR(sum / n, 0.5, 0.002);
}

TEST(MosaicFilter, BlurSpreadsAPointAsAGaussianAndKeepsItsLight) {
  const double sigma = 1.1;
  const MosaicFilter filter(sigma, kNoCrosstalk);
  MosaicPlane plane(32, 32);
  filter.apply(
      [](int y, std::span<float> row) {
        std::fill(row.begin(), row.end(), 0.0F);
        if (y == 16) {
          std::fill_n(row.begin() + 4 * 16, 3, 100.0F);
        }
      },
      plane);
  const double sum = std::accumulate(plane.values.begin(), plane.values.end(), 0.0);
  EXPECT_NEAR(sum, 100, 0.01);
  double second_moment = 0;
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      second_moment += double{plane.row(y)[x]} * (x - 16) * (x - 16);
    }
  }
  // The pixel's own width adds 1 / 12; the kernel ends at 3.2 sigma, which takes 1%.
  EXPECT_NEAR(second_moment / sum, sigma * sigma + 1.0 / 12, 0.03);
}

TEST(MosaicFilter, ColourFiltersStandAsRedGreenGreenBlue) {
  const MosaicFilter filter(0, {0.5, 0, 0, 0, 1, 0, 0, 0.25, 2});
  MosaicPlane plane(4, 4);
  filter.apply(
      [](int /*y*/, std::span<float> row) {
        for (std::size_t x = 0; x < row.size() / 4; ++x) {
          row[4 * x] = 10;
          row[4 * x + 1] = 20;
          row[4 * x + 2] = 40;
        }
      },
      plane);
  EXPECT_FLOAT_EQ(plane.row(0)[0], 5);
  EXPECT_FLOAT_EQ(plane.row(0)[1], 20);
  EXPECT_FLOAT_EQ(plane.row(1)[0], 20);
  EXPECT_FLOAT_EQ(plane.row(1)[1], 85);
}

TEST(Settling, ShareIsTheExposuresMeanOfTheExponential) {
  const double exposure = 10;
  const double tau = 4.5;
  for (const double since : {-1.0, 0.5, 3.0, 9.9, 10.0, 14.0, 60.0}) {
    double mean = 0;
    constexpr int kSteps = 20'000;
    for (int i = 0; i < kSteps; ++i) {
      const double t = since - exposure * (i + 0.5) / kSteps;
      if (t > 0) {
        mean += (1 - std::exp(-t / tau)) / kSteps;
      }
    }
    EXPECT_NEAR(step_share(since, exposure, tau), mean, 1e-5) << since;
    EXPECT_NEAR(StepTable(exposure, tau).at(static_cast<float>(since)), mean, 2e-4) << since;
  }
}

TEST(Settling, WithoutSettlingTheShareIsTheExposuresPartAfterTheStep) {
  EXPECT_DOUBLE_EQ(step_share(4, 16, 0), 0.25);
  EXPECT_DOUBLE_EQ(step_share(40, 16, 0), 1.0);
}

/// What a row of the sensor sees at the middle of the screen while the panel goes from black to
/// white, as a share.
double share_at(const Scene& scene, int y, Instant step_at, double exposure_ms) {
  ScreenLight light(scene.nodes[0], scene.nodes[1]);
  const PanelHistory history = {{Instant(Duration(-1'000'000)), nullptr},
                                {step_at, grey(scene.nodes[1].panel, 255)}};
  light.prepare(history, Instant(milliseconds(100)), exposure_ms);
  std::vector<float> row(static_cast<std::size_t>(scene.nodes[0].camera.width_px));
  light.add_row(y, row);
  const PanelSpec& panel = scene.nodes[1].panel;
  return row[row.size() / 2] / (panel.white_nits * (1 - 1 / panel.contrast));
}

TEST(ScreenLight, RollingShutterAndScanOutMixFramesAsTheClosedFormSays) {
  Scene scene =
      scene_of("ideal");  // straight ahead: camera row y sees panel row at the same height
  for (NodeSpec& node : scene.nodes) {
    node.camera.readout_ms = 20;
    node.panel.scan_out_ms = 15;
    node.panel.settle_rise_ms = 5;
  }
  const double exposure_ms = 8;
  const View view = look_around(scene).view(0, 1);
  const double top = view.corners[0].y;
  const double height = view.corners[3].y - top;
  for (const int y : {200, 400, 540, 700, 880}) {
    for (const int step_ms : {80, 92, 100, 108}) {
      const double panel_row = (y + 0.5 - top) / height;
      const double exposure_end_ms = 100 + 20.0 * y / 1080;
      const double since = exposure_end_ms - (step_ms + 15 * panel_row);
      EXPECT_NEAR(share_at(scene, y, Instant(milliseconds(step_ms)), exposure_ms),
                  step_share(since, exposure_ms, 5), 2e-3)
          << "row " << y << ", step at " << step_ms;
    }
  }
}

TEST(ScreenLight, FallAndRiseHaveTheirOwnTimes) {
  Scene scene = scene_of("ideal");
  for (NodeSpec& node : scene.nodes) {
    node.panel.settle_rise_ms = 10;
    node.panel.settle_fall_ms = 2;
  }
  ScreenLight light(scene.nodes[0], scene.nodes[1]);
  const PanelHistory history = {{Instant(Duration(-1'000'000)), grey(scene.nodes[1].panel, 255)},
                                {Instant(milliseconds(95)), nullptr}};
  light.prepare(history, Instant(milliseconds(100)), 4);
  std::vector<float> row(1920);
  light.add_row(540, row);
  const PanelSpec& panel = scene.nodes[1].panel;
  EXPECT_NEAR(row[960] / panel.white_nits, 1 - step_share(5, 4, 2), 1e-3);
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments counts_of(const CameraSpec& camera, double nits, Exposure exposure) {
  const Sensor sensor(camera);
  const std::vector<float> light(1000, static_cast<float>(nits));
  std::vector<std::uint16_t> counts(light.size());
  double sum = 0;
  double squares = 0;
  constexpr int kRows = 400;
  const Rng noise(99);
  for (int i = 0; i < kRows; ++i) {
    Rng rng = noise.split(static_cast<std::uint64_t>(i));
    sensor.expose(light, exposure, rng, counts);
    for (const std::uint16_t count : counts) {
      sum += count;
      squares += static_cast<double>(count) * count;
    }
  }
  const double n = 1000.0 * kRows;
  return {sum / n, squares / n - sum / n * sum / n};
}

TEST(Sensor, NoiseFollowsThePhotonTransferCurve) {
  const CameraSpec camera;
  for (const double gain : {1.0, 4.0}) {
    for (const double nits : {20.0, 60.0, 100.0}) {
      const Exposure exposure{10, gain};
      const double electrons = nits * exposure.ms * camera.sensitivity;
      const double k = 1023 * gain / camera.full_well_e;
      const Moments seen = counts_of(camera, nits, exposure);
      EXPECT_NEAR(seen.mean, k * electrons, 0.003 * k * electrons + 0.05);
      // Photon noise, read noise, and 1/12 of the converter's steps. 400,000 values that reuse
      // 262,144 draws: the variance's own error is below 1%.
      const double variance =
          k * k * (electrons + camera.read_noise_e * camera.read_noise_e) + 1.0 / 12;
      EXPECT_NEAR(seen.variance, variance, 0.02 * variance) << nits << " cd/m^2 at gain " << gain;
    }
  }
}

TEST(Sensor, FullWellClips) {
  CameraSpec camera;
  camera.adc_bits = 10;
  const Moments seen = counts_of(camera, 10 * camera.full_well_e, {10, 1});
  EXPECT_DOUBLE_EQ(seen.mean, 1023);
  EXPECT_DOUBLE_EQ(seen.variance, 0);
}

}  // namespace
}  // namespace wccl::room
