#include "phy/sync_columns.h"

#include <gtest/gtest.h>

#include "phy/layout.h"
#include "test_camera.h"

namespace wccl::phy {
namespace {

constexpr PanelSize kPanel{1280, 800};

ScreenGeometry geometry_of(const TestCamera& camera, const std::array<Point, 4>& corners) {
  const std::array<Point, 4> panel{{{0, 0}, {1280, 0}, {1280, 800}, {0, 800}}};
  const auto h = Homography::fit(panel, corners);
  std::array<Point, 4> finders = finder_centres(kPanel);
  for (Point& p : finders) {
    p = h->map(p);
  }
  return *ScreenGeometry::from_finders(kPanel, finders, Lens::of(camera.width, camera.height, 0));
}

TEST(SyncColumns, TellWhichFrameEachRowHolds) {
  Rng rng(2);
  const ModeId mode = *find_mode("luma8-0.5");
  for (std::uint16_t sequence = 20; sequence < 24; ++sequence) {
    const TestFrame first = make_frame(kPanel, mode, 1, sequence, rng);
    const TestFrame second =
        make_frame(kPanel, mode, 1, static_cast<std::uint16_t>(sequence + 1), rng);
    TestCamera camera;
    camera.width = 800;
    camera.height = 500;
    TestView view;
    view.panel = &first.image;
    view.next = &second.image;
    view.switch_row = 250;
    view.corners = view_corners(kPanel, {400, 250}, 640, 0, 0);
    const YuvImage picture = take_picture(camera, {&view, 1}, rng);
    FramePhases phases = FramePhases::read(picture.view().y, geometry_of(camera, view.corners));
    phases.resolve(sequence, 2.0F);
    EXPECT_NEAR(phases.at(200).left, sequence, 0.02);
    EXPECT_NEAR(phases.at(350).right, sequence, 0.02);
    EXPECT_NEAR(phases.at(450).left, sequence + 1, 0.02);
    EXPECT_NEAR(phases.at(600).right, sequence + 1, 0.02);
  }
}

TEST(SyncColumns, AFadeGivesTheShareOfEachFrame) {
  Rng rng(3);
  const ModeId mode = *find_mode("luma8-0.5");
  const TestFrame first = make_frame(kPanel, mode, 1, 6, rng);
  const TestFrame second = make_frame(kPanel, mode, 1, 7, rng);
  // 30% of the second frame's light: levels of 2.2 gamma.
  TestFrame mixed = first;
  for (std::size_t i = 0; i < mixed.image.pixels.size(); ++i) {
    const double a = std::pow(first.image.pixels[i] / 255.0, 2.2);
    const double b = std::pow(second.image.pixels[i] / 255.0, 2.2);
    mixed.image.pixels[i] =
        static_cast<std::uint8_t>(std::lround(255 * std::pow(0.7 * a + 0.3 * b, 1 / 2.2)));
  }
  TestCamera camera;
  camera.width = 800;
  camera.height = 500;
  TestView view;
  view.panel = &mixed.image;
  view.corners = view_corners(kPanel, {400, 250}, 640, 0, 0);
  const YuvImage picture = take_picture(camera, {&view, 1}, rng);
  FramePhases phases = FramePhases::read(picture.view().y, geometry_of(camera, view.corners));
  phases.resolve(6, 2.0F);
  EXPECT_NEAR(phases.at(400).left, 6.3, 0.03);
  EXPECT_NEAR(phases.at(400).right, 6.3, 0.03);
}

}  // namespace
}  // namespace wccl::phy
