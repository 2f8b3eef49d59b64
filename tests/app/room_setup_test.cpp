#include "app/room_setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::app {
namespace {

using testing::HasSubstr;

TEST(RoomSetup, TwoLaptopsSeeEachOther) {
  const auto room = set_up_room(RoomRequest());
  ASSERT_TRUE(room);
  EXPECT_EQ(room->scene.nodes.size(), 2U);
  EXPECT_TRUE(check_all_see_all(*room));
}

TEST(RoomSetup, ThreeInAHorseshoeSeeOneAnother) {
  const auto room = set_up_room({.arrangement = "horseshoe", .nodes = 3});
  ASSERT_TRUE(room);
  EXPECT_TRUE(check_all_see_all(*room));
}

TEST(RoomSetup, UnknownNamesAreTheCommandLinesFault) {
  for (const RoomRequest& request :
       {RoomRequest{.scene = "moon"}, RoomRequest{.arrangement = "pyramid"},
        RoomRequest{.overrides = {"camera.teeth=3"}},
        RoomRequest{.overrides = {"camera.fps=often"}}, RoomRequest{.overrides = {"camera.fps"}}}) {
    const auto room = set_up_room(request);
    ASSERT_FALSE(room);
    EXPECT_EQ(room.error().code, ErrorCode::kInvalidArgument) << room.error().message;
    EXPECT_EQ(room.error().message.find('\n'), std::string::npos) << room.error().message;
  }
}

TEST(RoomSetup, OverridesReachTheScene) {
  const auto room = set_up_room({.overrides = {"camera.fps=15"}});
  ASSERT_TRUE(room);
  EXPECT_EQ(room->scene.nodes[0].camera.fps, 15);
}

TEST(RoomSetup, WhoDoesNotSeeWhomIsNamed) {
  const auto room = set_up_room({.arrangement = "circle", .nodes = 4});
  if (!room) {
    GTEST_SKIP() << room.error().message;
  }
  const auto status = check_all_see_all(*room);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("camera 0 does not have screen"));
  EXPECT_THAT(status.error().message, HasSubstr("--nodes 3 --arrangement horseshoe"));
}

TEST(RoomSetup, TwoThatDoNotSeeEachOtherAreNotAskedToBeFewer) {
  const auto room = set_up_room({.overrides = {"panel_pose.yaw_deg=180"}});
  if (!room) {
    GTEST_SKIP() << room.error().message;
  }
  const auto status = check_all_see_all(*room);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, testing::Not(HasSubstr("--nodes")));
  EXPECT_THAT(status.error().message, HasSubstr("screen_share"));
}

}  // namespace
}  // namespace wccl::app
