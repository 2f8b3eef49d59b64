#include "session/aim.h"

#include <gmock/gmock.h>

namespace wccl::session {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int kWidth = 640;
constexpr int kHeight = 360;

/// A screen of good light in the middle of the picture.
phy::ScreenReception screen_at(double left, double top, double right, double bottom) {
  phy::ScreenReception screen;
  screen.node = 1;
  screen.corners = {Point{left, top}, Point{right, top}, Point{right, bottom}, Point{left, bottom}};
  screen.width_share = (right - left) / kWidth;
  screen.quality.snr_db = {16, 17, 15};
  screen.quality.levels[0] = {30, 128, 128};
  screen.quality.levels[1] = {200, 128, 128};
  screen.quality.cell_px = 4;
  return screen;
}

YuvImage picture_of(std::uint8_t level) {
  YuvImage picture(kWidth, kHeight);
  std::ranges::fill(picture.y, level);
  return picture;
}

/// A checkerboard, as a screen far from everything else is: dark cells everywhere.
YuvImage chequered() {
  YuvImage picture(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      picture.y[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)] =
          (x / 4 + y / 4) % 2 == 0 ? 40 : 200;
    }
  }
  return picture;
}

TEST(Aim, AGoodViewNeedsNoHint) {
  EXPECT_THAT(judge_aim(screen_at(140, 60, 500, 285), chequered().view()).hints, IsEmpty());
}

TEST(Aim, ASmallScreenAsksToMoveCloser) {
  const auto aim = judge_aim(screen_at(290, 150, 350, 190), chequered().view());
  EXPECT_THAT(aim.hints, Contains(HasSubstr("move closer")));
}

TEST(Aim, ASidewaysScreenTurnsTheCameraTowardsIt) {
  EXPECT_THAT(judge_aim(screen_at(2, 60, 240, 210), chequered().view()).hints,
              Contains(HasSubstr("to its left")));
  EXPECT_THAT(judge_aim(screen_at(400, 60, 639, 210), chequered().view()).hints,
              Contains(HasSubstr("to its right")));
}

TEST(Aim, AScreenSeenFromTheSideIsToBeTurned) {
  auto screen = screen_at(140, 60, 500, 285);
  screen.corners[1].y = 110;
  screen.corners[2].y = 235;
  EXPECT_THAT(judge_aim(screen, chequered().view()).hints, Contains(HasSubstr("from the side")));
}

TEST(Aim, AReflectionIsToldWithItsPlace) {
  YuvImage picture = chequered();
  for (int y = 70; y < 130; ++y) {
    for (int x = 400; x < 490; ++x) {
      picture.y[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)] = 240;
    }
  }
  EXPECT_THAT(judge_aim(screen_at(140, 60, 500, 285), picture.view()).hints,
              Contains(HasSubstr("reflects in the screen's upper right")));
}

TEST(Aim, BurntOutAndDarkScreensAreTold) {
  auto screen = screen_at(140, 60, 500, 285);
  screen.quality.levels[1][0] = 254;
  EXPECT_THAT(judge_aim(screen, chequered().view()).hints, Contains(HasSubstr("burnt out")));
  screen.quality.levels[1][0] = 60;
  EXPECT_THAT(judge_aim(screen, chequered().view()).hints, Contains(HasSubstr("dark")));
}

TEST(Aim, ACloserScreenPromisesMore) {
  const auto rate = [](double cell_px) {
    auto screen = screen_at(140, 60, 500, 285);
    screen.quality.cell_px = cell_px;
    phy::FrameReception frame;
    frame.header.panel = {1280, 800};
    frame.header.mode = phy::find_mode("rgb8-1.5").value();
    screen.frames.push_back(frame);
    return judge_aim(screen, chequered().view()).expected_bps;
  };
  EXPECT_GT(rate(3), 0);
  EXPECT_GT(rate(6), rate(3));
}

TEST(Aim, APictureWithoutScreensSaysWhy) {
  EXPECT_THAT(judge_empty_picture(picture_of(3).view()), HasSubstr("covered"));
  EXPECT_THAT(judge_empty_picture(picture_of(250).view()), Not(HasSubstr("no screen")));
  EXPECT_THAT(judge_empty_picture(chequered().view()), HasSubstr("aim the camera"));
}

}  // namespace
}  // namespace wccl::session
