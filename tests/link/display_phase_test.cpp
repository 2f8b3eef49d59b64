#include "link/display_phase.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

/// Share of another frame in the captures of a camera that is so many frames behind the display:
/// half and half at 0, clean from 0.39 frames on.
double mixed_at(double frames) {
  const double off = std::abs(frames - std::round(frames));
  return std::max(0.0, 0.5 - off / 0.78);
}

/// Receivers report twice a second what they see at the phase that is shown.
class Watch {
 public:
  explicit Watch(std::vector<double> phases) : phases_(std::move(phases)) {}

  void run_for(Duration duration, double drift_per_s = 0) {
    for (const Instant end = now_ + duration; now_ < end; now_ += 500ms) {
      std::vector<double> mixed;
      for (double& phase : phases_) {
        phase += 0.5 * drift_per_s;
        mixed.push_back(mixed_at(phase + 0.5 * display_.parity()));
      }
      worst_ = *std::ranges::max_element(mixed);
      sum_ = 0;
      for (const double share : mixed) {
        sum_ += share;
      }
      display_.note(display_.parity(), mixed, now_);
    }
  }
  [[nodiscard]] const DisplayPhase& display() const { return display_; }
  [[nodiscard]] double worst() const { return worst_; }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  DisplayPhase display_;
  std::vector<double> phases_;
  Instant now_{};
  double worst_ = 0;
  double sum_ = 0;
};

TEST(DisplayPhase, ShiftsOnceFromTheWorstPhase) {
  Watch watch({0.02});
  watch.run_for(30s);
  EXPECT_EQ(watch.display().shifts(), 1U);
  EXPECT_EQ(watch.worst(), 0);
}

TEST(DisplayPhase, StaysWhereCapturesAreClean) {
  Watch watch({0.45});
  watch.run_for(30s);
  EXPECT_EQ(watch.display().shifts(), 0U);
}

TEST(DisplayPhase, FollowsClocksThatDrift) {
  Watch watch({0.0});
  // 30.00 against 29.97 captures a second: a frame in 33 s, so two shifts.
  for (int second = 0; second < 330; ++second) {
    watch.run_for(1s, 1 / 33.0);
    if (second > 2) {
      EXPECT_LT(watch.worst(), 0.32) << second;
    }
  }
  EXPECT_NEAR(static_cast<double>(watch.display().shifts()), 20, 3);
}

TEST(DisplayPhase, SeveralReceiversGetTheLeastInSum) {
  Watch watch({0.02, 0.05, 0.5});
  watch.run_for(30s);
  EXPECT_EQ(watch.display().shifts(), 1U);
  EXPECT_LT(watch.sum(), 0.6);
}

TEST(DisplayPhase, DoesNotOscillateWhereNoPhaseIsGood) {
  DisplayPhase display;
  for (int i = 0; i < 600; ++i) {
    const std::array mixed{0.4};  // Whatever the phase.
    display.note(display.parity(), mixed, Instant(i * 500ms));
  }
  // There and back in 3, 6, 12, 24 s, then every 48 s of 300.
  EXPECT_LE(display.shifts(), 2U * 10U);
}

TEST(DisplayPhase, MovesToThePhaseThatIsKnownToBeClean) {
  DisplayPhase display;
  const std::array clean{0.0};
  display.note(1 - display.parity(), clean, Instant{});
  EXPECT_EQ(display.shifts(), 1U);
  EXPECT_EQ(display.expected_mixed(Instant{}), 0);
}

TEST(DisplayPhase, StaysWhereTheOtherPhaseIsKnownToBeNoBetter) {
  DisplayPhase display;
  const std::array mixed{0.3};
  display.note(1 - display.parity(), mixed, Instant{});
  display.note(display.parity(), mixed, Instant{});
  EXPECT_EQ(display.shifts(), 0U);
}

TEST(DisplayPhase, FramesOfOneRefreshHaveOnePhase) {
  EXPECT_EQ(DisplayPhase::parity_of(6, 1), 0);
  EXPECT_EQ(DisplayPhase::parity_of(7, 1), 0);
  EXPECT_EQ(DisplayPhase::parity_of(7, 2), 1);
}

TEST(DisplayPhase, OneFrameStaysForThreeRefreshes) {
  Watch watch({0.0});
  EXPECT_EQ(watch.display().refreshes_at(10, 2), 2);
  watch.run_for(500ms);
  EXPECT_EQ(watch.display().refreshes_at(10, 2), 3);
  EXPECT_EQ(watch.display().refreshes_at(13, 2), 2);
}

}  // namespace
}  // namespace wccl::link
