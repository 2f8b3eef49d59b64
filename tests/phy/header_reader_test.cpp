#include "phy/header_reader.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "phy/layout.h"
#include "test_camera.h"

namespace wccl::phy {
namespace {

constexpr PanelSize kPanel{1280, 800};

/// What a panel sends on average that shows `later` for a share of the exposure.
RgbImage mix(const RgbImage& earlier, const RgbImage& later, double share) {
  RgbImage mixed = earlier;
  for (int row = 0; row < mixed.height; ++row) {
    for (int i = 0; i < 3 * mixed.width; ++i) {
      const double a = std::pow(earlier.row(row)[i] / 255.0, 2.2);
      const double b = std::pow(later.row(row)[i] / 255.0, 2.2);
      mixed.row(row)[i] =
          static_cast<std::uint8_t>(std::lround(255 * std::pow(a + (b - a) * share, 1 / 2.2)));
    }
  }
  return mixed;
}

HeaderReading read(const RgbImage& panel, Point centre, double width_px) {
  Rng rng(3);
  TestCamera camera;
  camera.width = 960;
  camera.height = 640;
  TestView view;
  view.panel = &panel;
  view.corners = view_corners(kPanel, centre, width_px, 0, 0);
  const YuvImage picture = take_picture(camera, {&view, 1}, rng);
  const double module = module_px(kPanel);
  const double scale = width_px / kPanel.width_px * module;
  const Point origin = view.corners[0];
  const ModuleMap map = [=](Point p) {
    return Point{origin.x + p.x * scale, origin.y + p.y * scale};
  };
  return read_headers(picture.view().y, map, {kPanel.width_px / module, kPanel.height_px / module},
                      header_grid(kPanel));
}

class MixedHeaders : public testing::TestWithParam<double> {};

TEST_P(MixedHeaders, TheFrameWithTheLargerShareIsRead) {
  const double share = GetParam();
  Rng rng(2);
  const ModeId mode = *find_mode("luma16-0.5");
  for (std::uint16_t sequence = 0; sequence < 3; ++sequence) {
    const TestFrame earlier = make_frame(kPanel, mode, 1, sequence, rng);
    const TestFrame later =
        make_frame(kPanel, mode, 1, static_cast<std::uint16_t>(sequence + 1), rng);
    const auto reading = read(mix(earlier.image, later.image, share), {480, 320}, 700);
    ASSERT_NE(reading.any(), nullptr) << sequence;
    EXPECT_EQ(*reading.any(), (share > 0.5 ? later : earlier).header);
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, MixedHeaders, testing::Values(0.2, 0.48, 0.52, 0.8));

}  // namespace
}  // namespace wccl::phy
