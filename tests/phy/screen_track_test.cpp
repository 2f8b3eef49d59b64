#include "phy/screen_track.h"

#include <gtest/gtest.h>

#include "test_camera.h"

namespace wccl::phy {
namespace {

TEST(ScreenTrack, APlaceThatNoProjectionExplainsChangesNothing) {
  Rng rng(1);
  const TestFrame frame = make_frame({1280, 800}, *find_mode("luma16-0.5"), 2, 9, rng);
  TestCamera camera;
  camera.width = 640;
  camera.height = 400;
  TestView view;
  view.panel = &frame.image;
  view.corners = view_corners({1280, 800}, {320, 200}, 500, 0, 0);
  const YuvImage picture = take_picture(camera, {&view, 1}, rng);
  const auto finders = detect_finders(picture.view().y, FinderScan::kRows);
  constexpr std::array kLens{0.0};
  const auto screens = detect_screens(picture.view().y, finders, kLens).screens;
  ASSERT_EQ(screens.size(), 1U);
  ScreenTrack track(ReceiverOptions{});
  ASSERT_TRUE(track.relocate(picture.view(), screens[0]));
  DetectedScreen nowhere = screens[0];
  nowhere.finders.fill({100, 100});
  EXPECT_FALSE(track.relocate(picture.view(), nowhere));
  EXPECT_TRUE(track.covers({320, 200}));
  const auto reception = track.receive(picture.view());
  ASSERT_TRUE(reception.has_value());
  ASSERT_EQ(reception->frames.size(), 1U);
  EXPECT_EQ(reception->frames[0].blocks.size(), frame.payloads.size());
}

}  // namespace
}  // namespace wccl::phy
