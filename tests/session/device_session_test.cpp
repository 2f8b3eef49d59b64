#include "session/device_session.h"

#include <gmock/gmock.h>

#include "fake_desk.h"

namespace wccl::session {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// A laptop whose camera sees a wall.
Status look_for_others(std::optional<Rank> rank) {
  OpenDevices devices;
  devices.time = std::make_unique<device::SteadyTime>();
  const FakeScreen dark(640, 400, *devices.time);
  devices.camera = std::make_unique<FakeCamera>(dark, 20ms, *devices.time);
  devices.screen = std::make_unique<FakeScreen>(640, 400, *devices.time);
  DeviceSessionOptions options;
  options.rank = rank;
  options.calibration_deadline = 300ms;
  DeviceSession session(std::move(devices), std::move(options));
  return session.run(
      [](RankContext&) -> Status { return fail(ErrorCode::kUnsupported, "nobody is there"); });
}

TEST(DeviceSession, ALaptopThatFindsNobodyGivesUpAtItsDeadlineWithOrWithoutARank) {
  for (const std::optional<Rank> rank : {std::optional<Rank>(), std::optional<Rank>(0)}) {
    const auto status = look_for_others(rank);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kTimeout);
    EXPECT_THAT(status.error().message,
                HasSubstr("calibration did not end within 0.3 s: the camera a fake camera found no "
                          "screen of another laptop"));
  }
}

}  // namespace
}  // namespace wccl::session
