#include "device/screen_choice.h"

#include <gtest/gtest.h>

namespace wccl::device {
namespace {

TEST(ScreenChoice, NothingIsTheFirstDisplay) {
  const auto choice = parse_screen_choice("");
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->is_window);
  EXPECT_EQ(choice->display, 0);
}

TEST(ScreenChoice, NumberIsADisplay) {
  const auto choice = parse_screen_choice("2");
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->is_window);
  EXPECT_EQ(choice->display, 2);
}

TEST(ScreenChoice, WindowMayHaveASize) {
  const auto plain = parse_screen_choice("window");
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->is_window);
  EXPECT_EQ(plain->width_px, 0);
  const auto sized = parse_screen_choice("window:4095x200");
  ASSERT_TRUE(sized);
  EXPECT_TRUE(sized->is_window);
  EXPECT_EQ(sized->width_px, 4095);
  EXPECT_EQ(sized->height_px, 200);
}

class BadScreenChoice : public testing::TestWithParam<const char*> {};

TEST_P(BadScreenChoice, IsRefusedInOneLine) {
  const auto choice = parse_screen_choice(GetParam());
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(choice.error().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Texts,
                         BadScreenChoice,
                         testing::Values("-1",
                                         "+1",
                                         "1 ",
                                         "0x1",
                                         "99999999999",
                                         "Window",
                                         "window:",
                                         "window:640",
                                         "window:640x",
                                         "window:x480",
                                         "window:640x480x1",
                                         "window:-640x480",
                                         "window: 640x480",
                                         "window640x480",
                                         "window:319x480",
                                         "window:640x199",
                                         "window:4096x480",
                                         "window:640x4096"));

}  // namespace
}  // namespace wccl::device
