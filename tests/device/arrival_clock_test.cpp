#include "device/arrival_clock.h"

#include <gtest/gtest.h>

namespace wccl::device {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Stamps count from 1000 s, pictures come 50 ms late and up to 16 ms more.
constexpr Duration kZero = seconds(1000);
Instant arrival_of(int picture) {
  return Instant(milliseconds(33 * picture + 50 + (picture * 7) % 17));
}

TEST(ArrivalClock, JitterOfArrivalsGoes) {
  ArrivalClock clock;
  for (int i = 0; i < 300; ++i) {
    const Instant dated = clock.date(kZero + milliseconds(33 * i), arrival_of(i));
    EXPECT_LE(dated, arrival_of(i));
    if (i > 17) {  // the least delay has been seen
      EXPECT_EQ(dated, Instant(milliseconds(33 * i + 50)));
    }
  }
}

TEST(ArrivalClock, FollowsADriftingClock) {
  ArrivalClock clock;
  // 1000 ppm: after 100 s the device's clock is 100 ms behind.
  for (int i = 0; i < 3000; ++i) {
    const Duration stamp = milliseconds(33 * i);
    const Instant arrival(stamp + stamp / 1000);
    EXPECT_LE(arrival - clock.date(stamp, arrival), milliseconds(21)) << i;
  }
}

TEST(ArrivalClock, ClockThatIsSetStartsAnew) {
  ArrivalClock clock;
  EXPECT_EQ(clock.date(seconds(100), Instant(seconds(1))), Instant(seconds(1)));
  EXPECT_EQ(clock.date(seconds(50), Instant(seconds(2))), Instant(seconds(2)));
  EXPECT_EQ(clock.date(seconds(900), Instant(seconds(3))), Instant(seconds(3)));
}

}  // namespace
}  // namespace wccl::device
