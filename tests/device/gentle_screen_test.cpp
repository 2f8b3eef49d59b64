#include "device/gentle_screen.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wccl::device {
namespace {

/// Remembers what it was told to show.
class FakeScreen final : public Screen {
 public:
  struct Log {
    std::vector<Instant> changes;
    RgbImage last;
    int leaves_after = 1 << 30;
    int n_calls = 0;
  };
  FakeScreen(const SteadyTime& time, Log& log) : time_(time), log_(log) {}

  [[nodiscard]] ScreenFormat format() const override { return {256, 1, 1000}; }
  [[nodiscard]] std::string name() const override { return "fake"; }
  [[nodiscard]] Result<Instant> present(const RgbImage* frame) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (++log_.n_calls > log_.leaves_after) {
      return fail(ErrorCode::kCancelled, "left");
    }
    const Instant now = time_.now();
    if (frame != nullptr) {
      log_.changes.push_back(now);
      log_.last = *frame;
    }
    return now;
  }

 private:
  const SteadyTime& time_;
  Log& log_;
};

class GentleScreenTest : public testing::Test {
 protected:
  SteadyTime time_;
  FakeScreen::Log log_;
  std::unique_ptr<Screen> screen_ = make_gentle(std::make_unique<FakeScreen>(time_, log_), time_);
  RgbImage frame_{256, 1};
};

TEST_F(GentleScreenTest, ChangesAtMostThreeTimesASecond) {
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(screen_->present(&frame_));
    ASSERT_TRUE(screen_->present(nullptr));
  }
  ASSERT_EQ(log_.changes.size(), 4U);  // all of them, late
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GE(log_.changes[i] - log_.changes[i - 1], std::chrono::milliseconds(334));
  }
}

TEST_F(GentleScreenTest, ContrastIsLowAndLevelsKeepTheirOrder) {
  for (std::size_t i = 0; i < frame_.pixels.size(); ++i) {
    frame_.pixels[i] = static_cast<std::uint8_t>(i / 3);
  }
  ASSERT_TRUE(screen_->present(&frame_));
  EXPECT_TRUE(std::is_sorted(log_.last.pixels.begin(), log_.last.pixels.end()));
  EXPECT_EQ(log_.last.pixels.front(), 64);
  EXPECT_EQ(log_.last.pixels.back(), 192);
}

TEST_F(GentleScreenTest, LeavingIsNoticedWhileAFrameWaits) {
  log_.leaves_after = 3;
  ASSERT_TRUE(screen_->present(&frame_));
  const Instant start = time_.now();
  const auto shown = screen_->present(&frame_);
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code, ErrorCode::kCancelled);
  EXPECT_LT(time_.now() - start, std::chrono::milliseconds(300));
}

}  // namespace
}  // namespace wccl::device
