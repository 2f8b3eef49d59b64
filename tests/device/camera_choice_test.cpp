#include "device/camera_choice.h"

#include <gtest/gtest.h>

namespace wccl::device {
namespace {

using Kind = CameraChoice::Kind;

TEST(CameraChoice, NamesAreDevices) {
  for (const char* const text : {"", "0", "/dev/video2", "Integrated Camera"}) {
    const auto choice = parse_camera_choice(text);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->kind, Kind::kDevice);
    EXPECT_EQ(choice->name, text);
  }
}

TEST(CameraChoice, DisplayIsSeenWhole) {
  for (const char* const display : {":0", ":99.0", "host:10.1"}) {
    const auto choice = parse_camera_choice(std::string("x11grab:") + display);
    ASSERT_TRUE(choice) << display;
    EXPECT_EQ(choice->kind, Kind::kDisplay);
    EXPECT_EQ(choice->name, display);
    EXPECT_FALSE(choice->size);
  }
}

TEST(CameraChoice, DisplayIsSeenInPart) {
  const auto corner = parse_camera_choice("x11grab::99:640x480");
  ASSERT_TRUE(corner);
  EXPECT_EQ(corner->name, ":99");
  EXPECT_EQ(corner->size, (PixelSize{640, 480}));
  const auto part = parse_camera_choice("x11grab::99.0+10,20:640x480");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->name, ":99.0");
  EXPECT_EQ(part->x, 10);
  EXPECT_EQ(part->y, 20);
  EXPECT_EQ(part->size, (PixelSize{640, 480}));
}

TEST(CameraChoice, UrlIsOneWithoutAFileBehindIt) {
  const auto choice = parse_camera_choice("http://phone:8080/video");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->kind, Kind::kUrl);
}

TEST(CameraChoice, FileIsOneThatIsThere) {
  const auto there = parse_camera_choice(WCCL_SOURCE_DIR "/README.md");
  ASSERT_TRUE(there);
  EXPECT_EQ(there->kind, Kind::kFile);
  const auto missing = parse_camera_choice(WCCL_SOURCE_DIR "/missing.mp4");
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->kind, Kind::kDevice);
}

class BadDisplay : public testing::TestWithParam<const char*> {};

TEST_P(BadDisplay, IsRefused) {
  const auto choice = parse_camera_choice(GetParam());
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Texts,
                         BadDisplay,
                         testing::Values("x11grab:",
                                         "x11grab:99",
                                         "x11grab::",
                                         "x11grab::x",
                                         "x11grab::99:640x",
                                         "x11grab::99:0x480",
                                         "x11grab::99+10,20",
                                         "x11grab::99+10:640x480",
                                         "x11grab::99+-1,2:640x480",
                                         "x11grab::99+1,2,3:640x480"));

}  // namespace
}  // namespace wccl::device
