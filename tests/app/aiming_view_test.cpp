#include "app/aiming_view.h"

#include <memory>

#include <gmock/gmock.h>

namespace wccl::app {
namespace {

constexpr std::uint16_t kOwn = 77;

/// A camera's picture of one screen whose frames show this identity.
session::Sighting sighting_of(std::uint16_t identity) {
  phy::ScreenReception screen;
  screen.epoch = identity;
  screen.corners = {Point{140, 60}, Point{500, 60}, Point{500, 285}, Point{140, 285}};
  phy::FrameHeader header;
  header.epoch = identity;
  screen.frames.push_back({header, {}});
  return {make_capture(std::make_shared<YuvImage>(640, 360), Instant{}), {Instant{}, {screen}}};
}

TEST(AimReport, TheLaptopItselfIsNoScreenAndSaidSo) {
  const AimReport report = report_aim(sighting_of(kOwn), kOwn);
  EXPECT_TRUE(report.screens.empty());
  EXPECT_THAT(report.remark, testing::HasSubstr("this laptop itself"));
}

TEST(AimReport, AnotherLaptopIsAScreen) {
  const AimReport report = report_aim(sighting_of(kOwn + 1), kOwn);
  EXPECT_EQ(report.screens.size(), 1U);
  EXPECT_EQ(report.remark, "");
}

TEST(AimReport, WithoutAPictureThereIsNothingToSay) {
  EXPECT_EQ(report_aim({}, kOwn).remark, "no picture from the camera yet");
}

}  // namespace
}  // namespace wccl::app
