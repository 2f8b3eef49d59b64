#include "link/capture_pace.h"

#include <gtest/gtest.h>

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

TEST(CapturePace, IsAUsualCamerasBeforeThereAreCaptures) {
  EXPECT_EQ(CapturePace().period(), kUsualCapturePeriod);
}

TEST(CapturePace, IsTheTimeBetweenCaptures) {
  CapturePace pace;
  for (int i = 0; i < 5; ++i) {
    pace.note(Instant(i * 200ms));
  }
  EXPECT_EQ(pace.period(), 200ms);
}

TEST(CapturePace, NeitherAPauseNorALostCaptureMovesIt) {
  CapturePace pace;
  Instant now{};
  for (const auto interval : {33ms, 33ms, 67ms, 33ms, 3000ms, 33ms, 33ms, 33ms}) {
    pace.note(now);
    now += interval;
  }
  pace.note(now);
  EXPECT_EQ(pace.period(), 33ms);
}

TEST(CapturePace, FollowsACameraThatSlowsDown) {
  CapturePace pace;
  Instant now{};
  for (int i = 0; i < 20; ++i, now += 33ms) {
    pace.note(now);
  }
  for (int i = 0; i < 10; ++i, now += 100ms) {
    pace.note(now);
  }
  EXPECT_EQ(pace.period(), 100ms);
}

TEST(CapturePace, RoundTripsAreNoFasterThanBetweenUsualCameras) {
  EXPECT_EQ(slowdown_of_round_trip(16ms), 1);
  EXPECT_NEAR(slowdown_of_round_trip(200ms), 1.12 / 0.287, 0.05);
}

}  // namespace
}  // namespace wccl::link
