#include "device/format_choice.h"

#include <vector>

#include <gtest/gtest.h>

namespace wccl::device {
namespace {

/// What a laptop's webcam offers.
const std::vector<CameraFormat> kWebcam{{640, 480, 30, "yuyv422"},  {1280, 720, 10, "yuyv422"},
                                        {1920, 1080, 5, "yuyv422"}, {640, 480, 30, "mjpeg"},
                                        {1280, 720, 30, "mjpeg"},   {1920, 1080, 30, "mjpeg"},
                                        {3840, 2160, 15, "mjpeg"}};

void expect_is(const CameraFormat* format, int width, int height, const char* coding) {
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->width_px, width);
  EXPECT_EQ(format->height_px, height);
  EXPECT_EQ(format->coding, coding);
}

TEST(FormatChoice, BestIs1080p30Mjpeg) {
  expect_is(nearest_format(kWebcam, {}), 1920, 1080, "mjpeg");
}

TEST(FormatChoice, SmoothMjpegBeatsSlowRawPictures) {
  expect_is(nearest_format(kWebcam, {1280, 720, 0, ""}), 1280, 720, "mjpeg");
}

TEST(FormatChoice, CodingCanBeAskedFor) {
  expect_is(nearest_format(kWebcam, {640, 480, 0, "yuyv422"}), 640, 480, "yuyv422");
}

TEST(FormatChoice, WithoutTheBestTheNearestIsTaken) {
  const std::vector<CameraFormat> offered{{640, 480, 30, "mjpeg"}, {1280, 720, 30, "mjpeg"}};
  expect_is(nearest_format(offered, {}), 1280, 720, "mjpeg");
}

TEST(FormatChoice, ThirtyAreEnoughWhereSixtyCanBeHad) {
  const std::vector<CameraFormat> offered{{1920, 1080, 60, "mjpeg"}, {1920, 1080, 30, "mjpeg"}};
  EXPECT_EQ(nearest_format(offered, {})->fps, 30);
  EXPECT_EQ(nearest_format(offered, {0, 0, 60, ""})->fps, 60);
}

TEST(FormatChoice, NothingOfNothing) {
  EXPECT_EQ(nearest_format({}, {}), nullptr);
}

TEST(FormatChoice, WarnsWhenLessIsGivenThanAskedFor) {
  const auto line = format_warning({640, 480, 15, "mjpeg"}, {1920, 1080, 30, ""});
  ASSERT_TRUE(line);
  EXPECT_EQ(*line, "gives 640x480 at 15 pictures/s, not 1920x1080 at 30");
  EXPECT_TRUE(format_warning({640, 480, 30, "mjpeg"}, {}));
}

TEST(FormatChoice, WarnsWhenAnotherSizeIsGivenThanAskedFor) {
  EXPECT_TRUE(format_warning({640, 480, 30, "mjpeg"}, {1, 1, 0, ""}));
}

TEST(FormatChoice, IsSilentWhenAllIsWell) {
  EXPECT_FALSE(format_warning({1920, 1080, 29.97, "mjpeg"}, {1920, 1080, 30, ""}));
  EXPECT_FALSE(format_warning({1280, 720, 30, "mjpeg"}, {}));
  EXPECT_FALSE(format_warning({320, 200, 10, "bgr0"}, {320, 200, 10, ""}));
  EXPECT_FALSE(format_warning({0, 0, 0, "mjpeg"}, {}));
}

}  // namespace
}  // namespace wccl::device
