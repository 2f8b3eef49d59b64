#include "base/clock.h"

#include <gmock/gmock.h>

namespace wccl {
namespace {

using std::chrono::microseconds;

TEST(Clock, SecondsRoundToTheNearestMicrosecond) {
  EXPECT_EQ(from_seconds(1.0 / 60), microseconds(16667));
  EXPECT_EQ(from_seconds(-0.0000006), microseconds(-1));
  EXPECT_EQ(from_seconds(0), microseconds(0));
}

TEST(Clock, SecondsComeBack) {
  EXPECT_DOUBLE_EQ(to_seconds(from_seconds(12.345678)), 12.345678);
  EXPECT_DOUBLE_EQ(to_seconds(Instant{} + microseconds(2500000)), 2.5);
}

}  // namespace
}  // namespace wccl
