#include "device/picture_feed.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace wccl::device {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<std::byte> picture(int content) {
  return {static_cast<std::byte>(content)};
}

PictureFeed::TimePoint now() {
  return SteadyTime::Clock::now();
}

TEST(PictureFeed, GivesTheNewestThatIsDue) {
  PictureFeed feed;
  feed.push(picture(1), now());
  feed.push(picture(2), now());
  feed.push(picture(3), now() + hours(1));
  const auto seen = feed.next(0, seconds(10));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->number, 2U);
  EXPECT_EQ(*seen->jpeg, picture(2));
}

TEST(PictureFeed, GivesNothingTwice) {
  PictureFeed feed;
  feed.push(picture(1), now());
  EXPECT_FALSE(feed.next(1, milliseconds(1)));
}

TEST(PictureFeed, WaitsUntilAPictureIsDue) {
  PictureFeed feed;
  const auto due = now() + milliseconds(50);
  feed.push(picture(1), due);
  EXPECT_FALSE(feed.next(0, milliseconds(1)));
  const auto seen = feed.next(0, seconds(10));
  ASSERT_TRUE(seen);
  EXPECT_GE(now(), due);
}

TEST(PictureFeed, WaitsForAPictureThatIsNotMadeYet) {
  PictureFeed feed;
  std::thread maker([&feed] {
    std::this_thread::sleep_for(milliseconds(20));
    feed.push(picture(1), now());
  });
  EXPECT_TRUE(feed.next(0, seconds(10)));
  maker.join();
}

TEST(PictureFeed, WakesEverybodyWhenItCloses) {
  PictureFeed feed;
  std::thread closer([&feed] {
    std::this_thread::sleep_for(milliseconds(20));
    feed.close();
  });
  const auto begin = now();
  EXPECT_FALSE(feed.next(0, hours(1)));
  EXPECT_LT(now() - begin, seconds(60));
  closer.join();
  EXPECT_TRUE(feed.closed());
}

}  // namespace
}  // namespace wccl::device
