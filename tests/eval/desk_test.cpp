#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "eval/desk_meter.h"
#include "eval/desk_run.h"
#include "eval/result_text.h"
#include "phy/transmitter.h"
#include "session/room_session.h"

namespace wccl::eval {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

phy::ModeId mode_named(std::string_view name) {
  return phy::find_mode(name).value();
}

DeskWish wish(std::vector<phy::ModeId> modes, bool is_asked_for) {
  return {{std::move(modes), {2, 3}, 1s}, is_asked_for, {1280, 800}};
}

TEST(DeskPlan, StepsGoThroughTheHoldsOfAModeAndThenToTheNextMode) {
  const DeskPlan plan{{4, 9}, {2, 3}, 1s};
  ASSERT_EQ(plan.n_steps(), 4U);
  EXPECT_EQ(step_of(plan, 1).mode, 4);
  EXPECT_EQ(step_of(plan, 1).hold, 3);
  EXPECT_EQ(step_of(plan, 2).mode, 9);
  EXPECT_EQ(step_of(plan, 2).hold, 2);
}

TEST(DeskPlan, OneLaptopsWishIsAllLaptopsPlan) {
  const std::array wishes{wish({1}, false), wish({2, 3}, true), wish({1}, false)};
  EXPECT_THAT(agree(wishes)->plan.modes, ElementsAre(2, 3));
  EXPECT_THAT(agree(std::array{wish({1}, false), wish({2}, false)})->plan.modes, ElementsAre(1));
}

TEST(DeskPlan, TwoWishesThatDifferAreAnErrorThatNamesBoth) {
  const auto plan = agree(std::array{wish({1}, true), wish({1}, false), wish({2}, true)});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(plan.error().message, HasSubstr("ranks 0 and 2"));
}

TEST(DeskPlan, ModesThatAPanelIsTooSmallForAreLeftOut) {
  const phy::PanelSize small{480, 300};
  const auto fits_not = static_cast<phy::ModeId>(0);
  ASSERT_FALSE(fits(small, fits_not));
  const phy::ModeId last = static_cast<phy::ModeId>(phy::modes().size() - 1);
  ASSERT_TRUE(fits(small, last));
  std::array wishes{wish({fits_not, last}, false), wish({fits_not, last}, false)};
  wishes[1].panel = small;
  EXPECT_THAT(agree(wishes)->plan.modes, ElementsAre(last));
  EXPECT_THAT(agree(wishes)->left_out, ElementsAre(fits_not));
  wishes[0].plan.modes = {fits_not};
  EXPECT_FALSE(agree(wishes));
}

TEST(DeskPlan, AWishSurvivesItsMessageAndNonsenseDoesNot) {
  const DeskWish sent = wish({1, 7}, true);
  EXPECT_EQ(decode_wish(encode(sent)).value(), sent);
  Bytes torn = encode(sent);
  torn.pop_back();
  EXPECT_FALSE(decode_wish(torn));
  EXPECT_FALSE(decode_wish({}));
  DeskWish endless = sent;
  endless.plan.length = std::chrono::hours(1);
  EXPECT_FALSE(decode_wish(encode(endless)));
  endless = sent;
  endless.plan.holds = {0};
  EXPECT_FALSE(decode_wish(encode(endless)));
}

TEST(DeskPlan, AWishForAPanelThatNoFrameCanNameIsNone) {
  // To see which modes fit, cells are counted: of this one there would be 10^17.
  DeskWish large = wish({1}, true);
  large.panel = {1'000'000'000, 1'000'000'000};
  EXPECT_FALSE(decode_wish(encode(large)));
  large.panel = {4095, 4095};
  EXPECT_TRUE(decode_wish(encode(large)));
  large.panel = {4096, 1200};
  EXPECT_FALSE(decode_wish(encode(large)));
}

/// Captures of rank 1's screen, one every 100 ms, each with a new frame.
class Captures {
 public:
  explicit Captures(phy::ModeId mode) : mode_(mode) {}

  /// @param n_blocks  That decode; -1: the screen is not in the capture.
  phy::CaptureReception next(int n_blocks) {
    phy::CaptureReception reception;
    reception.captured_at = Instant(100ms * n_++);
    ++sequence_;
    if (n_blocks < 0) {
      return reception;
    }
    phy::ScreenReception screen;
    screen.node = 1;
    screen.quality.snr_db = {9, 12, 8};
    screen.quality.cell_px = 2;
    phy::FrameReception frame;
    frame.header.node = 1;
    frame.header.mode = mode_;
    frame.header.panel = {1280, 800};
    frame.header.sequence = sequence_;
    for (int index = 0; index < n_blocks; ++index) {
      frame.blocks.push_back({index, {}});
    }
    screen.frames.push_back(std::move(frame));
    screen.shares = {{sequence_, n_ % 2 == 0 ? 0.5 : 0.9}};
    reception.screens.push_back(std::move(screen));
    return reception;
  }

 private:
  phy::ModeId mode_;
  int n_ = 0;
  std::uint16_t sequence_ = 65'530;  // It goes round.
};

TEST(DeskMeter, CountsFramesAfterTheModeHasSettled) {
  const phy::ModeId mode = mode_named("rgb5-1.5");
  const auto n_blocks = static_cast<int>(phy::block_slots({1280, 800}, mode).size());
  Captures captures(mode);
  DeskMeter meter(1, mode, 1s);
  for (int i = 0; i < 30; ++i) {
    meter.note(captures.next(n_blocks));
  }
  const DeskCount count = meter.count();
  EXPECT_EQ(count.from, 1);
  EXPECT_DOUBLE_EQ(count.seconds, 0.9);
  EXPECT_EQ(count.captures, 9);
  EXPECT_EQ(count.located, 9);
  EXPECT_EQ(count.frames, 9);
  EXPECT_EQ(count.frames_read, 9);
  EXPECT_NEAR(count.mixed_share, 0.5, 0.1);
  ASSERT_EQ(count.channels.size(), 3U);
  for (const auto& channel : count.channels) {
    EXPECT_EQ(channel.blocks_ok, channel.blocks);
  }
  const Figures figures = figures_of(count, mode);
  EXPECT_EQ(figures.blocks(), 9 * n_blocks);
  EXPECT_FALSE(figures.has_soft_bits);
  EXPECT_DOUBLE_EQ(figures.channels[1].snr_db, 12);
}

TEST(DeskMeter, FramesThatWereNeverReadCountAsLost) {
  const phy::ModeId mode = mode_named("rgb5-1.5");
  const auto n_blocks = static_cast<int>(phy::block_slots({1280, 800}, mode).size());
  Captures captures(mode);
  DeskMeter meter(1, mode, 2s);
  for (int i = 0; i < 25; ++i) {
    meter.note(captures.next(i >= 5 && i % 2 == 0 ? -1 : n_blocks));
  }
  const DeskCount count = meter.count();
  EXPECT_GT(count.frames, count.frames_read);
  EXPECT_NEAR(figures_of(count, mode).block_error_rate(), 0.45, 0.06);
}

TEST(DeskMeter, AScreenThatNeverShowsTheModeIsNotFound) {
  Captures captures(mode_named("luma8-0.5"));
  DeskMeter meter(1, mode_named("rgb5-1.5"), 1s);
  for (int i = 0; i < 30; ++i) {
    meter.note(captures.next(1));
  }
  const Figures figures = figures_of(meter.count(), mode_named("rgb5-1.5"));
  EXPECT_EQ(figures.frames, 0);
  EXPECT_EQ(figures.goodput_bps, 0);
  EXPECT_EQ(figures.limit, "screen not found");
}

TEST(DeskCount, CountsSurviveTheirMessageAndNonsenseDoesNot) {
  const phy::ModeId mode = mode_named("rgb5-1.5");
  DeskCount count;
  count.from = 1;
  count.seconds = 2.5;
  count.captures = 75;
  count.located = 74;
  count.frames = 50;
  count.frames_read = 49;
  count.cell_px = 2.25;
  count.channels = {{100, 90, 8.5}, {100, 99, 12.25}, {100, 70, 6}};
  const auto read = decode_counts(encode(std::array{count}), mode, 0, 2);
  ASSERT_TRUE(read);
  EXPECT_EQ(encode(*read), encode(std::array{count}));
  EXPECT_LT(encode(*read).size(), 100U);

  const auto is_refused = [&](const auto& change, Rank reporter = 0) {
    DeskCount other = count;
    change(other);
    return !decode_counts(encode(std::array{other}), mode, reporter, 2);
  };
  EXPECT_TRUE(is_refused([](DeskCount& c) { c.from = 2; }));
  EXPECT_TRUE(is_refused([](DeskCount&) {}, 1));
  EXPECT_TRUE(is_refused([](DeskCount& c) { c.channels[0].blocks_ok = 101; }));
  EXPECT_TRUE(is_refused([](DeskCount& c) { c.channels.pop_back(); }));
  EXPECT_TRUE(is_refused([](DeskCount& c) { c.frames_read = 51; }));
  EXPECT_TRUE(is_refused([](DeskCount& c) { c.channels[0].blocks = 2'000'000'000; }));
  EXPECT_TRUE(is_refused([](DeskCount& c) { c.frames = c.captures = 2'000'000'000; }));
  EXPECT_TRUE(is_refused([](DeskCount& c) { c.seconds = 1e300; }));
  EXPECT_TRUE(is_refused([](DeskCount& c) { c.cell_px = 1e300; }));
  EXPECT_FALSE(is_refused([](DeskCount& c) { c.seconds = 0; }));
  EXPECT_FALSE(decode_counts({}, mode, 0, 2));
}

TEST(DeskResult, WhatADeskCannotTellIsEmptyAndSurvivesItsLine) {
  DeskReading reading;
  reading.step = {mode_named("rgb5-1.5"), 2};
  reading.count.from = 1;
  reading.count.channels.resize(3);
  const std::string line = to_json_line(to_result(reading));
  EXPECT_THAT(line, HasSubstr("\"could_carry_bps\":null"));
  EXPECT_THAT(line, HasSubstr("\"scene\":\"rank 1 to rank 0\""));
  const auto read = from_json_line(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json_line(*read), line);
}

session::RoomSessionOptions small_room(int n_laptops = 2) {
  session::RoomSessionOptions options;
  options.scene =
      room::make_scene("face_1080p", n_laptops > 2 ? "horseshoe" : "pair", n_laptops).value();
  for (const char* change : {"camera.width_px=960", "camera.height_px=540", "camera.fps=12",
                             "panel.width_px=1024", "panel.height_px=640"}) {
    EXPECT_TRUE(room::override_parameter(options.scene, change));
  }
  options.timeout = 5s;
  return options;
}

TEST(DeskRun, AllLaptopsEndWithTheSameReadingsAndAModeThatNobodyReadsHoldsNobodyUp) {
  DeskPlan plan{
      {mode_named("luma12-0.5"), mode_named("rgb2-2.6"), mode_named("rgb8-1.5")}, {4}, 1s};
  std::array<std::map<std::pair<std::size_t, Rank>, Bytes>, 2> told;
  std::array<std::vector<double>, 2> goodput_bps;
  session::RoomSession session(small_room());
  const auto status = session.run([&](session::RankContext& self) {
    const auto me = static_cast<std::size_t>(self.rank());
    std::size_t step = 0;
    DeskOptions options;
    options.plan = plan;
    options.is_asked_for = self.rank() == 1;  // The other one follows.
    options.on_step = [&](std::size_t index, DeskStep) { step = index; };
    options.on_reading = [&](const DeskReading& reading) -> Status {
      told[me][{step, reading.to}] = encode(std::array{reading.count});
      if (reading.to == self.rank()) {
        goodput_bps[me].push_back(figures_of(reading.count, reading.step.mode).goodput_bps);
      }
      return {};
    };
    return measure_desk(self, options);
  });
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(told[0].size(), 6U);
  EXPECT_EQ(told[0], told[1]);
  for (const auto& bps : goodput_bps) {
    ASSERT_EQ(bps.size(), 3U);
    EXPECT_GT(bps[0], 1e4);
    EXPECT_EQ(bps[1], 0);
    EXPECT_GT(bps[2], 3 * bps[0]);
  }
  EXPECT_LT(session.air_time(), 25s);
}

TEST(DeskRun, ThreeLaptopsMeasureAllSixLinks) {
  std::array<std::vector<std::string>, 3> links;
  session::RoomSessionOptions room = small_room(3);
  for (const char* change : {"panel.width_px=640", "panel.height_px=400"}) {
    ASSERT_TRUE(room::override_parameter(room.scene, change));
  }
  session::RoomSession session(room);
  const auto status = session.run([&](session::RankContext& self) {
    DeskOptions options;
    options.plan = {{mode_named("luma6-0.5")}, {4}, 1s};
    options.on_reading =
        [&, me = static_cast<std::size_t>(self.rank())](const DeskReading& reading) -> Status {
      EXPECT_GT(figures_of(reading.count, reading.step.mode).goodput_bps, 0);
      links[me].push_back(link_name(reading.count.from, reading.to));
      return {};
    };
    return measure_desk(self, options);
  });
  ASSERT_TRUE(status) << status.error().message;
  for (const auto& told : links) {
    EXPECT_THAT(told, testing::UnorderedElementsAre("rank 1 to rank 0", "rank 2 to rank 0",
                                                    "rank 0 to rank 1", "rank 2 to rank 1",
                                                    "rank 0 to rank 2", "rank 1 to rank 2"));
  }
}

TEST(DeskRun, ALaptopThatGoesIsNamedAndWhatWasReadIsKept) {
  session::RoomSessionOptions room = small_room();
  room::Scene dark = room.scene;
  ASSERT_TRUE(room::override_parameter(dark, "node1.panel.white_nits=0.1"));
  room.changes = {{Instant(9s), dark}};
  session::RoomSession session(room);
  int n_read = 0;
  const auto status = session.run([&](session::RankContext& self) {
    DeskOptions options;
    options.plan = {{mode_named("luma12-0.5")}, {3, 4, 5, 6, 7, 8}, 1s};
    options.on_reading = [&](const DeskReading& reading) -> Status {
      n_read += self.rank() == 0 && reading.to == 0 ? 1 : 0;
      return {};
    };
    return measure_desk(self, options);
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kPeerLost);
  EXPECT_THAT(status.error().message, HasSubstr("rank 1 did not answer"));
  EXPECT_GE(n_read, 1);
}

TEST(DeskRun, AStepIsNotMeasuredToItsEndWhenALaptopHasLeft) {
  session::RoomSession session(small_room());
  const auto status = session.run([&](session::RankContext& self) {
    DeskOptions options;
    options.plan = {{mode_named("luma12-0.5")}, {4}, 60s};
    options.on_plan = [&](const DeskAgreement&) -> Status {
      if (self.rank() == 0) {
        return {};
      }
      static_cast<void>(self.wait(nullptr, self.now() + 5s));
      return fail(ErrorCode::kIo, "the disk is full");
    };
    return measure_desk(self, options);
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "rank 1 has left: the disk is full");
  EXPECT_LT(session.air_time(), 12s);
}

}  // namespace
}  // namespace wccl::eval
