#include "app/decode_report.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wccl::app {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct View {
  double cell_px = 3;
  double snr_db = 12;
  double dark = 20;
  double bright = 200;
  double width_share = 0.6;
  int blocks = 10;
  int blocks_bad = 0;
};

phy::CaptureReception capture_of(const View& view) {
  phy::ScreenReception screen;
  screen.width_share = view.width_share;
  screen.quality.cell_px = view.cell_px;
  screen.quality.snr_db = {view.snr_db, view.snr_db, view.snr_db};
  screen.quality.levels[0][0] = view.dark;
  screen.quality.levels[1][0] = view.bright;
  screen.blocks_bad = view.blocks_bad;
  auto& frame = screen.frames.emplace_back();
  for (int i = 0; i < view.blocks; ++i) {
    frame.blocks.push_back({i, {}});
  }
  return {{}, {screen}};
}

DecodeOutcome outcome_of(const View& view, int captures = 10) {
  DecodeOutcome outcome;
  outcome.mode = "luma8-0.5";
  for (int i = 0; i < captures; ++i) {
    outcome.tally.add(capture_of(view));
  }
  return outcome;
}

TEST(DecodeReport, CountsCapturesAndBlocks) {
  auto outcome = outcome_of({.blocks = 10, .blocks_bad = 2}, 5);
  outcome.tally.add({});
  outcome.tally.add(capture_of({.blocks = 0}));
  EXPECT_EQ(outcome.tally.captures, 7);
  EXPECT_EQ(outcome.tally.located, 6);
  EXPECT_EQ(outcome.tally.with_data, 5);
  EXPECT_EQ(outcome.tally.blocks_ok, 50);
  EXPECT_EQ(outcome.tally.blocks_bad, 10);
}

TEST(DecodeReport, GoodputIsFileBitsOverTheTimeOfTheCaptures) {
  auto outcome = outcome_of({}, 60);
  outcome.bytes = 1000;
  outcome.fps = 30;
  EXPECT_EQ(goodput_bps(outcome), 0);
  outcome.file = "name";
  EXPECT_DOUBLE_EQ(goodput_bps(outcome), 4000);
}

TEST(DecodeReport, JsonHasEveryKeyWhetherWholeOrNot) {
  auto outcome = outcome_of({});
  for (const bool whole : {false, true}) {
    if (whole) {
      outcome.file = "name";
    }
    const auto json = to_json(outcome);
    for (const char* key :
         {"file", "bytes", "sha256", "captures", "captures_located", "captures_with_data",
          "blocks_ok", "blocks_bad", "goodput_bps", "cpu_s", "mode"}) {
      EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["file"].is_null(), !whole);
  }
}

TEST(Advice, NamesWhatIsWrongWithTheView) {
  EXPECT_THAT(advice({}), ElementsAre(HasSubstr("no screen found")));
  EXPECT_THAT(advice(outcome_of({.cell_px = 1, .blocks = 0})), Contains(HasSubstr("too small")));
  EXPECT_THAT(advice(outcome_of({.bright = 30, .blocks = 0})), Contains(HasSubstr("too dark")));
  EXPECT_THAT(advice(outcome_of({.dark = 150, .blocks = 0})), Contains(HasSubstr("contrast")));
  EXPECT_THAT(advice(outcome_of({.snr_db = 1, .blocks = 0})), Contains(HasSubstr("blurred")));
  EXPECT_THAT(advice(outcome_of({.blocks = 2, .blocks_bad = 20})),
              Contains(HasSubstr("frames mixed")));
}

TEST(Advice, GoodCapturesThatEndTooEarlyAreNotBlamed) {
  EXPECT_THAT(advice(outcome_of({})), ElementsAre(HasSubstr("not all frames were seen")));
}

TEST(Advice, FramesOfSomethingElseAreNoFile) {
  auto outcome = outcome_of({});
  outcome.mode.clear();
  EXPECT_THAT(advice(outcome), ElementsAre(HasSubstr("bear no file")));
}

TEST(Advice, SmallScreenIsNotBlamedForItsBlur) {
  EXPECT_THAT(advice(outcome_of({.cell_px = 1, .dark = 150, .blocks = 0})),
              ElementsAre(HasSubstr("too small")));
}

TEST(Advice, ScreenThatComesAndGoesIsNamed) {
  auto outcome = outcome_of({}, 4);
  for (int i = 0; i < 10; ++i) {
    outcome.tally.add({});
  }
  EXPECT_THAT(advice(outcome), Contains(HasSubstr("4 of 14 captures")));
}

}  // namespace
}  // namespace wccl::app
