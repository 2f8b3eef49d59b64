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

AimReport seen(std::vector<std::string> names) {
  AimReport report;
  for (auto& name : names) {
    report.screens.emplace_back().name = std::move(name);
  }
  return report;
}

TEST(SightLine, SaysHowManyAreMissing) {
  EXPECT_EQ(sight_line(seen({"acid cedar"}), 3), "1 of 2 other laptops in sight: acid cedar");
}

TEST(SightLine, SaysWhatIsWaitedForWhenAllAreThere) {
  EXPECT_EQ(sight_line(seen({"acid cedar"}), 2),
            "1 of 1 other laptops in sight: acid cedar; waiting until all see one another");
}

TEST(SightLine, GivesTheRemarkWhenNobodyIsThere) {
  EXPECT_EQ(sight_line({{}, "it is dark"}, 2), "it is dark");
}

TEST(SightLine, AScreenWithoutANameIsNoLaptopYet) {
  EXPECT_EQ(sight_line(seen({""}), 2), "a screen is in sight, and cannot be read yet");
}

}  // namespace
}  // namespace wccl::app
