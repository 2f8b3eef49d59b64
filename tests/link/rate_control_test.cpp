#include "link/rate_control.h"

#include <array>
#include <map>

#include <gtest/gtest.h>

#include "simulated_air.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFrame{66'667};
constexpr std::uint8_t kOnePeer = 0b10;
constexpr std::uint64_t kRoundTripFrames = 4;

/// Frames of one sender and the acknowledgements that come a round trip later.
class Loop {
 public:
  explicit Loop(std::map<phy::ModeId, double> success)
      : rate_(test_ladder(), frame_bytes()), success_(std::move(success)) {}

  std::map<phy::ModeId, double>& success() { return success_; }
  RateControl& rate() { return rate_; }
  [[nodiscard]] int probes() const { return probes_; }

  void run_for(Duration duration, bool idle = true, std::size_t backlog = 0, bool answers = true) {
    for (const Instant end = now_ + duration; now_ < end; now_ += kFrame) {
      if (answers && sequence_ > kRoundTripFrames) {
        acknowledge(sequence_ - kRoundTripFrames);
      }
      const auto choice = rate_.choose({kOnePeer, idle, backlog}, sequence_, now_);
      first_used_.emplace(choice.mode, sequence_++);
      probes_ += choice.probe ? 1 : 0;
    }
  }

 private:
  static std::vector<std::size_t> frame_bytes() {
    std::vector<std::size_t> bytes;
    for (phy::ModeId mode = 0; mode < test_ladder().size(); ++mode) {
      bytes.push_back(117 * test_block_sizes(mode).size());
    }
    return bytes;
  }

  void acknowledge(std::uint64_t settled) {
    AckPacket ack;
    ack.snr = {60, 60, 60};
    ack.cell_px = 80;
    for (const auto& [mode, sequence] : first_used_) {
      if (sequence > settled) {
        continue;
      }
      ack.modes.push_back({mode, static_cast<std::uint8_t>(success_[mode] * 255), 100});
    }
    rate_.on_ack(1, ack, settled, now_);
  }

  RateControl rate_;
  std::map<phy::ModeId, double> success_;
  std::map<phy::ModeId, std::uint64_t> first_used_;
  Instant now_{};
  std::uint64_t sequence_ = 0;
  int probes_ = 0;
};

TEST(RateControl, StartsInTheMostRobustMode) {
  Loop loop({});
  EXPECT_EQ(loop.rate().mode(), 0);
}

TEST(RateControl, ClimbsToTheFastestReadableModeWithinASecondAndAHalf) {
  Loop loop({{0, 1}, {1, 1}, {2, 0.97}, {3, 0.4}});
  loop.run_for(1500ms);
  EXPECT_EQ(loop.rate().mode(), 2);
}

TEST(RateControl, PrefersAFasterModeThatLosesSomeWhenItBringsMore) {
  Loop loop({{0, 0.85}, {1, 0.85}, {2, 0.8}, {3, 0.6}});
  loop.run_for(1500ms);
  EXPECT_EQ(loop.rate().mode(), 2);
}

TEST(RateControl, LeavesAFailedModeAloneForLongerEachTime) {
  Loop loop({{0, 1}, {1, 1}, {2, 1}, {3, 0.4}});
  loop.run_for(3s);
  const int before = loop.probes();
  loop.run_for(30s);
  EXPECT_LE(loop.probes() - before, 4 * 3);  // Three frames each.
}

TEST(RateControl, StepsDownWhenBlocksFail) {
  Loop loop({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
  loop.run_for(2s);
  ASSERT_EQ(loop.rate().mode(), 3);
  loop.success()[3] = 0.4;
  loop.run_for(500ms);
  EXPECT_EQ(loop.rate().mode(), 2);
}

TEST(RateControl, HoldsTheModeThroughModerateLoss) {
  Loop loop({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
  loop.run_for(2s);
  loop.success()[3] = 0.8;
  loop.run_for(10s);
  EXPECT_EQ(loop.rate().mode(), 3);
}

TEST(RateControl, FallsBackWhenAcknowledgementsStop) {
  Loop loop({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
  loop.run_for(2s);
  loop.run_for(1700ms, true, 0, false);
  EXPECT_EQ(loop.rate().mode(), 0);
}

TEST(RateControl, BelievesHeadersThatSayNothingDecodes) {
  Loop loop({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
  loop.run_for(2s);
  ASSERT_EQ(loop.rate().mode(), 3);
  const Instant failing = Instant(2s);
  loop.rate().on_feedback(1, 0, failing);
  (void)loop.rate().choose({kOnePeer, true, 0}, 1000, failing + 400ms);
  EXPECT_EQ(loop.rate().mode(), 1);
}

TEST(RateControl, DoesNotProbeWhileASmallMessageWaits) {
  Loop loop({{0, 1}, {1, 1}, {2, 1}, {3, 0.4}});
  loop.run_for(2s);
  const int before = loop.probes();
  loop.run_for(20s, false, 2'680);
  EXPECT_EQ(loop.probes(), before);
}

TEST(RateControl, ProbesInLongTransfers) {
  Loop loop({{0, 1}, {1, 1}, {2, 0}, {3, 0}});
  loop.run_for(2s);
  ASSERT_EQ(loop.rate().mode(), 1);
  loop.success() = {{0, 1}, {1, 1}, {2, 1}, {3, 1}};
  loop.run_for(9s, false, 1'000'000);
  EXPECT_EQ(loop.rate().mode(), 3);
}

TEST(PredictedMargin, FallsWithSmallerCellsAndWeakerCodes) {
  const ViewQuality view{0, {12, 0, 0}, 8};
  const phy::Mode from{"", 16, phy::Colouring::kLuma, 1, {phy::CodeRate::k1_2}};
  phy::Mode to = from;
  double last = predicted_margin_db(view, from, to);
  EXPECT_NEAR(last, 12 - phy::required_snr_db(phy::CodeRate::k1_2), 1e-9);
  for (const int cell_px : {8, 6, 4}) {
    to.cell_px = cell_px;
    const double margin = predicted_margin_db(view, from, to);
    EXPECT_LT(margin, last);
    last = margin;
  }
  to.code_rates[0] = phy::CodeRate::k5_6;
  EXPECT_LT(predicted_margin_db(view, from, to), last);
}

TEST(PredictedMargin, RulesOutCellsBelowTheCamerasResolution) {
  const ViewQuality view{0, {40, 0, 0}, 4};
  const phy::Mode from{"", 16, phy::Colouring::kLuma, 1, {phy::CodeRate::k1_2}};
  phy::Mode to = from;
  to.cell_px = 4;
  EXPECT_LT(predicted_margin_db(view, from, to), -1e9);
}

TEST(PredictedMargin, TheWeakestLayerOfColourCounts) {
  const ViewQuality view{0, {14, 20, 6}, 8};
  phy::Mode rgb{"", 8, phy::Colouring::kRgb, 1, {}};
  rgb.code_rates.fill(phy::CodeRate::k1_2);
  EXPECT_NEAR(predicted_margin_db(view, rgb, rgb), 6 - phy::required_snr_db(phy::CodeRate::k1_2),
              1e-9);
}

TEST(PredictedMargin, AgreesWithWhatTheRoomShowed) {
  // face_1080p: luma cells of 9.8 camera px, then R, G, B as they were measured with cells of 3.06
  // px.
  const phy::Mode from{"", 16, phy::Colouring::kLuma, 1, {phy::CodeRate::k1_2}};
  const ViewQuality view{0, {31, 0, 0}, 9.8};
  const std::array measured{5.3, 10.0, 4.2};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    phy::Mode to{"", 5, phy::Colouring::kRgb, 1, {}};
    to.code_rates[phy::kHalves * channel] = phy::CodeRate::k1_2;
    EXPECT_NEAR(predicted_margin_db(view, from, to) + phy::required_snr_db(phy::CodeRate::k1_2),
                measured[channel], 2)
        << channel;
  }
}

}  // namespace
}  // namespace wccl::link
