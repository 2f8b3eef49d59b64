#include "session/room_session.h"

#include <array>

#include <gmock/gmock.h>

namespace wccl::session {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Small pictures, few a second: what a test can pay.
RoomSessionOptions small_room(int n_laptops = 2) {
  RoomSessionOptions options;
  options.scene = room::make_scene("face_1080p", "", n_laptops).value();
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

TEST(RoomSession, AProgramThatFailsTellsWhoWaitsForItWhy) {
  RoomSessionOptions options = small_room();
  options.timeout = 30s;
  RoomSession session(options);
  const auto status = session.run([](RankContext& self) -> Status {
    if (self.rank() == 0) {
      return talk(self, 1000);
    }
    const auto talked = talk(self, 1);
    return talked ? fail(ErrorCode::kIo, "the disk is full") : talked;
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kPeerLost);
  EXPECT_EQ(status.error().message, "rank 1 has left: the disk is full");
  EXPECT_LT(session.air_time(), 10s);
}

TEST(RoomSession, WhoEndsBecauseOfAnotherPassesItsReasonOn) {
  RoomSessionOptions options = small_room(3);
  options.timeout = 30s;
  RoomSession session(options);
  std::vector<Status> results(3);
  EXPECT_FALSE(session.run([&](RankContext& self) -> Status {
    // Each for the next one, and the last for nobody.
    Status result = fail(ErrorCode::kIo, "the disk is full");
    if (self.rank() < 2) {
      const auto message = self.transport().receive(self.rank() + 1, 1);
      result = message ? Status() : tl::make_unexpected(message.error());
    }
    results[static_cast<std::size_t>(self.rank())] = result;
    return result;
  }));
  EXPECT_EQ(results[0].error().message, "rank 2 has left: the disk is full");
  EXPECT_EQ(results[1].error().message, "rank 2 has left: the disk is full");
}

}  // namespace
}  // namespace wccl::session
