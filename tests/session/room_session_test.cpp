#include "session/room_session.h"

#include <array>

#include <gmock/gmock.h>

namespace wccl::session {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Small pictures, few a second: what a test can pay.
RoomSessionOptions small_room() {
  RoomSessionOptions options;
  options.scene = room::make_scene("face_1080p", "", 2).value();
  for (const char* change : {"camera.width_px=1280", "camera.height_px=720", "camera.fps=10",
                             "panel.width_px=1024", "panel.height_px=640"}) {
    EXPECT_TRUE(room::override_parameter(options.scene, change));
  }
  options.timeout = 4s;
  return options;
}

/// One message each way, as often as `rounds`.
Status talk(RankContext& self, int rounds) {
  const Rank other = 1 - self.rank();
  for (int round = 0; round < rounds; ++round) {
    const Bytes message(100, std::byte{7});
    if (auto sent = self.transport().send(std::array{other}, static_cast<Tag>(round), message);
        !sent) {
      return sent;
    }
    if (const auto answer = self.transport().receive(other, static_cast<Tag>(round)); !answer) {
      return tl::make_unexpected(answer.error());
    }
  }
  return {};
}

TEST(RoomSession, AScreenThatGoesDarkIsNamedByWhoeverWaitsForIt) {
  RoomSessionOptions options = small_room();
  room::Scene dark = options.scene;
  ASSERT_TRUE(room::override_parameter(dark, "node1.panel.white_nits=0.1"));
  options.changes = {{Instant(2500ms), dark}};
  RoomSession session(options);
  const auto status = session.run([](RankContext& self) { return talk(self, 1000); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kPeerLost);
  EXPECT_THAT(
      status.error().message,
      HasSubstr(
          "rank 1 did not answer within 4 s: its screen is out of view, or it was stopped there"));
  EXPECT_LT(session.air_time(), 12s);
}

TEST(RoomSession, AProgramThatStoppedIsNamedToo) {
  RoomSession session(small_room());
  const auto status =
      session.run([](RankContext& self) { return talk(self, self.rank() == 1 ? 1 : 1000); });
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message,
              HasSubstr("rank 1 did not answer within 4 s: in view but silent"));
}

}  // namespace
}  // namespace wccl::session
