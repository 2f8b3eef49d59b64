#include "link/rate_control.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "phy/transmitter.h"
#include "simulated_air.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

constexpr Duration kRefresh{16'667};
constexpr std::uint8_t kOnePeer = 0b10;
constexpr Duration kRoundTrip = 250ms;

int blocks_of(phy::ModeId mode) {
  static const std::vector<int> kBlocks = [] {
    std::vector<int> blocks;
    for (phy::ModeId id = 0; id < phy::modes().size(); ++id) {
      blocks.push_back(static_cast<int>(phy::block_slots({1920, 1200}, id).size()));
    }
    return blocks;
  }();
  return kBlocks.at(mode);
}

/// Frames of one sender over the real ladder, and the acknowledgements that come a round trip
/// later. A frame's blocks decode when its mode has enough to spare.
class Loop {
 public:
  /// @param snr_db  Of green in cells of 4 panel pixels, which are 2.45 camera pixels; 6.4 is the
  ///                room's face_1080p.
  explicit Loop(double snr_db) : rate_(phy::modes(), frame_bytes(), kRefresh), snr_db_(snr_db) {}

  static std::vector<std::size_t> frame_bytes() {
    std::vector<std::size_t> bytes;
    for (phy::ModeId mode = 0; mode < phy::modes().size(); ++mode) {
      bytes.push_back(phy::kBlockPayloadBytes * static_cast<std::size_t>(blocks_of(mode)));
    }
    return bytes;
  }

  RateControl& rate() { return rate_; }
  void set_snr_db(double snr_db) { snr_db_ = snr_db; }
  /// What a mode has to spare at hold 2, 3, 4 before it decodes.
  std::map<int, double>& needed() { return needed_; }
  /// Share of other frames in captures at hold 2, by parity.
  std::array<double, 2>& mixed() { return mixed_; }
  bool& answers() { return answers_; }
  /// Of the receiver's camera, in whole kPeriodUnits.
  Duration& period() { return period_; }
  RateControl::Demand& demand() { return demand_; }
  [[nodiscard]] int probes() const { return probes_; }
  /// Frames at hold 2 that captures mixed, after the four that tell of both phases.
  [[nodiscard]] int mixed_frames() const { return mixed_frames_; }
  [[nodiscard]] double bytes() const { return bytes_; }
  [[nodiscard]] Instant now() const { return now_; }
  [[nodiscard]] int changes() const { return changes_; }

  /// What the present choice brings, against the best of all.
  [[nodiscard]] double share_of_best() const {
    double best = 0;
    for (phy::ModeId mode = 0; mode < phy::modes().size(); ++mode) {
      for (const int hold : {2, 3, 4}) {
        best = std::max(best, bytes_per_refresh(mode, hold));
      }
    }
    return bytes_per_refresh(rate_.mode(), rate_.hold()) / best;
  }

  void run_for(Duration duration) {
    for (const Instant end = now_ + duration; now_ < end; now_ += kRefresh, ++refresh_) {
      if (refresh_ < next_frame_) {
        continue;
      }
      if (answers_) {
        acknowledge();
      }
      show();
    }
  }

 private:
  struct Sent {
    Instant at;
    phy::ModeId mode = 0;
    double share = 0;
    double purity = 0;
    int blocks = 0;
  };

  [[nodiscard]] ViewQuality view_of(phy::ModeId mode) const {
    const phy::Mode& shown = *phy::find_mode(mode);
    // Much the same curve as the room's.
    const double octaves = std::log2(shown.cell_px / 4.0);
    const double green = std::min(snr_db_ + 8.3 * octaves, 16.5);
    const bool luma = shown.colouring == phy::Colouring::kLuma;
    const double first = luma ? std::min(33.0, snr_db_ + 11 + 12 * octaves) : green;
    return {mode, {luma ? first : green - 4, green, green - 4}, 2.45 * shown.cell_px / 4};
  }

  [[nodiscard]] double bytes_per_refresh(phy::ModeId mode, int hold) const {
    const phy::Mode& shown = *phy::find_mode(mode);
    const bool is_read = predict_margin(view_of(mode), shown, shown).db > needed_.at(hold) ||
                         (mode == 0 && hold == 4);
    return is_read ? static_cast<double>(blocks_of(mode)) / hold : 0;
  }

  void acknowledge() {
    std::size_t n = sent_.size();
    while (n > 0 && sent_[n - 1].at + kRoundTrip > now_) {
      --n;
    }
    if (n == 0) {
      return;
    }
    AckPacket ack;
    const ViewQuality view = view_of(sent_[n - 1].mode);
    ack.quality_mode = view.mode;
    for (std::size_t i = 0; i < 3; ++i) {
      ack.snr[i] = static_cast<std::uint8_t>(std::lround(4 * (view.snr_db[i] - kLeastSnrDb)));
    }
    ack.cell_px = static_cast<std::uint8_t>(std::lround(8 * view.cell_px));
    ack.capture_period = static_cast<std::uint8_t>(period_ / kPeriodUnit);
    for (std::size_t age = 0; age < std::min(n, kMaxFrameReports); ++age) {
      const Sent& frame = sent_[n - 1 - age];
      ack.frames.push_back({static_cast<std::uint16_t>(std::lround(frame.share * frame.blocks)),
                            purity_class(frame.purity)});
    }
    rate_.on_ack(1, ack, n - 1, now_);
  }

  void show() {
    const auto choice = rate_.choose(demand_, sent_.size(), refresh_, now_);
    const int hold = std::clamp(rate_.hold(), 2, 4);
    const double mixed = choice.refreshes == 2 ? mixed_[refresh_ % 2] : 0;
    const phy::Mode& mode = *phy::find_mode(choice.mode);
    const double margin = predict_margin(view_of(choice.mode), mode, mode).db +
                          20 * std::log10(1 - mixed) - needed_[std::min(choice.refreshes, 4)];
    Sent frame{now_, choice.mode, margin > 0 ? 0.99 : margin > -0.4 ? 0.6 : 0.1, 1 - mixed, 0};
    frame.blocks = blocks_of(choice.mode);
    rate_.note_sent(frame.blocks);
    bytes_ += frame.share * frame.blocks * phy::kBlockPayloadBytes;
    probes_ += choice.probe ? 1 : 0;
    mixed_frames_ += sent_.size() >= 4 && mixed > 0 ? 1 : 0;
    const std::pair present{rate_.mode(), hold};
    changes_ += present != last_ ? 1 : 0;
    last_ = present;
    sent_.push_back(frame);
    next_frame_ = refresh_ + static_cast<std::uint64_t>(choice.refreshes);
  }

  RateControl rate_;
  double snr_db_;
  std::map<int, double> needed_{{2, 0.3}, {3, -0.4}, {4, -0.9}};
  std::array<double, 2> mixed_{};
  bool answers_ = true;
  Duration period_ = 32ms;
  RateControl::Demand demand_{kOnePeer, false, 1'000'000};
  std::vector<Sent> sent_;
  Instant now_{};
  std::uint64_t refresh_ = 0;
  std::uint64_t next_frame_ = 0;
  int probes_ = 0;
  int mixed_frames_ = 0;
  int changes_ = 0;
  std::pair<phy::ModeId, int> last_{};
  double bytes_ = 0;
};

TEST(RateControl, StartsInTheMostRobustMode) {
  Loop loop(6.4);
  EXPECT_EQ(loop.rate().mode(), 0);
}

TEST(RateControl, ChoosesByHowThePeerIsSeenBeforeThereIsSomethingToSend) {
  RateControl rate(phy::modes(), Loop::frame_bytes(), kRefresh);
  rate.on_view(1, {*phy::find_mode("luma16-0.5"), {33, 0, 0}, 9.8}, Instant{});
  const auto alone = rate.choose({0, true, 0}, 0, 0, Instant{});
  EXPECT_EQ(alone.mode, 0);
  EXPECT_EQ(alone.refreshes, 3);
  const auto met = rate.choose({kOnePeer, true, 0}, 1, 3, Instant(50ms));
  EXPECT_NE(met.mode, 0);
  EXPECT_EQ(met.refreshes, 2);  // In turn with 3, which tells of both phases of the display.
}

TEST(RateControl, ClimbsToTheBestModeWithinASecond) {
  Loop loop(6.4);
  loop.run_for(1s);
  EXPECT_GT(loop.share_of_best(), 0.8);
  EXPECT_EQ(loop.rate().hold(), 2);
}

TEST(RateControl, FollowsTheChannelDownAndUpWithinTwoSeconds) {
  Loop loop(6.4);
  loop.run_for(4s);
  loop.set_snr_db(1.5);
  loop.run_for(2s);
  EXPECT_GT(loop.share_of_best(), 0.8);
  loop.set_snr_db(6.4);
  loop.run_for(2s);
  EXPECT_GT(loop.share_of_best(), 0.8);
}

TEST(RateControl, DoesNotOscillate) {
  Loop loop(6.4);
  loop.run_for(3s);
  const int before = loop.changes();
  loop.run_for(60s);
  EXPECT_LE(loop.changes() - before, 4);
}

TEST(RateControl, ProbesThatFailGetRare) {
  Loop loop(6.4);
  loop.run_for(30s);
  const int before = loop.probes();
  loop.run_for(60s);
  EXPECT_LE(loop.probes() - before, 5 * 4);  // Four frames each.
}

TEST(RateControl, LearnsThatTheModelIsTooGood) {
  Loop loop(6.4);
  loop.needed() = {{2, 3.3}, {3, 2.6}, {4, 2.1}};
  loop.run_for(4s);
  EXPECT_GT(loop.share_of_best(), 0.8);
}

TEST(RateControl, LearnsThatTheModelIsTooBad) {
  Loop loop(6.4);
  loop.needed() = {{2, -2.0}, {3, -2.7}, {4, -3.2}};
  loop.run_for(20s);
  EXPECT_GT(loop.share_of_best(), 0.8);
}

TEST(RateControl, TakesALongerHoldWhereShortOnesFail) {
  Loop loop(6.4);
  loop.needed()[2] = 20;
  loop.run_for(3s);
  EXPECT_EQ(loop.rate().hold(), 3);
}

TEST(RateControl, ShiftsTheDisplayUntilCapturesFallClean) {
  for (const std::size_t bad : {0U, 1U}) {
    Loop loop(6.4);
    loop.mixed()[bad] = 0.45;
    loop.run_for(3s);
    EXPECT_EQ(loop.rate().hold(), 2) << bad;
    EXPECT_GT(loop.share_of_best(), 0.8) << bad;
    EXPECT_LT(loop.rate().state(loop.now()).mixed, 0.05) << bad;
  }
}

TEST(RateControl, GuessesNothingOfAPhaseThatReceiversAreAboutToTellOf) {
  Loop loop(6.4);
  loop.mixed()[1] = 0.11;  // It is told of first.
  loop.run_for(3s);
  EXPECT_EQ(loop.rate().hold(), 2);
  EXPECT_EQ(loop.mixed_frames(), 0);
}

ViewQuality colours_seen(double green_db) {
  return {*phy::find_mode("rgb3-1.8"), {green_db - 4, green_db, green_db - 4}, 1.92};
}

/// The mode that is shown once the view has become better.
/// @param idle  There is still nothing to send.
phy::ModeId mode_after_a_better_view(bool idle) {
  RateControl rate(phy::modes(), Loop::frame_bytes(), kRefresh);
  rate.on_view(1, colours_seen(3.7), Instant{});
  static_cast<void>(rate.choose({kOnePeer, true, 0}, 0, 0, Instant{}));
  EXPECT_EQ(rate.mode(), *phy::find_mode("rgb3-1.8"));
  rate.on_view(1, colours_seen(4.7), Instant{});
  static_cast<void>(rate.choose({kOnePeer, idle, 1'000'000}, 1, 3, Instant(50ms)));
  return rate.mode();
}

TEST(RateControl, TheFirstMessageIsNotPutAtRiskForLittle) {
  EXPECT_EQ(mode_after_a_better_view(true), *phy::find_mode("rgb3-2.1"));
  EXPECT_EQ(mode_after_a_better_view(false), *phy::find_mode("rgb3-1.8"));
}

TEST(RateControl, ProbesNothingBeforeReceiversTellHowTheySeeColours) {
  RateControl rate(phy::modes(), Loop::frame_bytes(), kRefresh);
  AckPacket luma;
  luma.snr.fill(static_cast<std::uint8_t>(4 * (33 - kLeastSnrDb)));
  luma.cell_px = 8 * 9;
  std::uint64_t refresh = 0;
  for (std::uint64_t sequence = 0; sequence < 20; ++sequence) {
    const Instant now = Instant{} + refresh * kRefresh;
    rate.on_view(1, colours_seen(sequence < 4 ? 3.7 : 4.7), now);
    rate.on_ack(1, luma, {}, now);
    const auto choice = rate.choose({kOnePeer, sequence < 4, 1'000'000}, sequence, refresh, now);
    EXPECT_FALSE(choice.probe) << sequence;
    refresh += static_cast<std::uint64_t>(choice.refreshes);
  }
}

TEST(RateControl, FallsBackWhenAcknowledgementsStop) {
  Loop loop(6.4);
  loop.run_for(2s);
  loop.answers() = false;
  loop.run_for(1700ms);
  EXPECT_EQ(loop.rate().mode(), 0);
  EXPECT_EQ(loop.rate().hold(), 4);
}

TEST(RateControl, BelievesHeadersThatSayNothingDecodes) {
  Loop loop(6.4);
  loop.run_for(2s);
  const double before = loop.bytes();
  EXPECT_GT(before, 0);
  const phy::ModeId mode = loop.rate().mode();
  loop.answers() = false;
  loop.rate().on_feedback(1, 0, loop.now());
  loop.run_for(700ms);
  EXPECT_LT(loop.rate().mode(), mode);
}

TEST(RateControl, ASlowCameraSeesEachFrameCleanOnce) {
  Loop loop(6.4);
  loop.period() = 200ms;
  loop.run_for(1s);
  EXPECT_GE(loop.rate().hold() * kRefresh, 200ms);
  EXPECT_LE(loop.rate().hold() * kRefresh, 400ms + kRefresh);
}

TEST(RateControl, CamerasFasterThanUsualNeedNoShorterHolds) {
  Loop loop(6.4);
  loop.period() = 16ms;
  loop.run_for(1s);
  EXPECT_EQ(loop.rate().hold(), 2);
}

TEST(RateControl, DoesNotProbeWhileASmallMessageWaits) {
  Loop loop(6.4);
  loop.run_for(2s);
  loop.demand() = {kOnePeer, false, 2'680};
  const int before = loop.probes();
  loop.run_for(20s);
  EXPECT_EQ(loop.probes(), before);
}

}  // namespace
}  // namespace wccl::link
