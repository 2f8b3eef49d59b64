#include "device/refresh_clock.h"

#include <gtest/gtest.h>

namespace wccl::device {
namespace {

constexpr Instant kStart{Duration{1'000'000}};

TEST(RefreshClock, NextIsAlwaysLaterAndWithinAPeriod) {
  const RefreshClock clock(kStart, 59.94);
  for (Instant now = kStart; now < kStart + Duration{200'000}; now += Duration{331}) {
    const Instant next = clock.next(now);
    EXPECT_GT(next, now);
    EXPECT_LE(next - now, clock.period() + Duration{1});
  }
}

TEST(RefreshClock, DoesNotDrift) {
  const RefreshClock clock(kStart, 60);
  Instant now = kStart;
  for (int i = 0; i < 6000; ++i) {
    now = clock.next(now);
  }
  EXPECT_EQ(now - kStart, std::chrono::seconds(100));
}

TEST(RefreshClock, SkipsWhatWasMissed) {
  const RefreshClock clock(kStart, 50);
  EXPECT_EQ(clock.next(kStart + Duration{65'000}), kStart + Duration{80'000});
}

}  // namespace
}  // namespace wccl::device
