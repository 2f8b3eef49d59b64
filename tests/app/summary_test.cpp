#include "app/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/exit_status.h"

namespace wccl::app {
namespace {

using testing::HasSubstr;

train::Progress after(double seconds, double accuracy, int syncs) {
  train::Progress progress;
  progress.syncs = syncs;
  progress.steps = 50 * syncs;
  progress.accuracy = accuracy;
  progress.elapsed = from_seconds(seconds);
  return progress;
}

RunSummary good_run() {
  RunSummary summary;
  summary.backend = "room";
  summary.strategy = "diloco";
  summary.scene = "face_1080p";
  summary.arrangement = "pair";
  summary.nodes = 2;
  summary.seed = 1;
  summary.ending = Ending::kTargetReached;
  take_history(summary,
               {after(2, 0.80, 1), after(4, 0.84, 2), after(5, 0.82, 3), after(8, 0.91, 4)});
  summary.air_time_s = 8.5;
  summary.bytes_on_air = {7000, 7100};
  summary.network_bytes = 0;
  summary.weights_sha256 = {"ab12", "ab12"};
  summary.links.push_back(
      {.from = 0, .to = 1, .goodput_bps = 1e5, .blocks_ok = 75, .blocks_bad = 25});
  return summary;
}

TEST(Summary, TimesAreThoseOfTheFirstSyncAboveTheMark) {
  const auto summary = good_run();
  EXPECT_EQ(summary.air_time_to_83_s, 4.0);
  EXPECT_EQ(summary.air_time_to_90_s, 8.0);
  EXPECT_EQ(summary.accuracy, 0.91);
  EXPECT_EQ(summary.syncs, 4);
}

TEST(Summary, JsonHasWhatTheDocsPromise) {
  const auto json = to_json(good_run());
  for (const char* key :
       {"accuracy", "air_time_s", "air_time_to_83_s", "air_time_to_90_s", "wall_s", "syncs",
        "bytes_on_air", "network_bytes", "weights_sha256", "seed", "links"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["bytes_on_air"].size(), 2U);
  EXPECT_EQ(json["weights_sha256"].size(), 2U);
  for (const char* key : {"from", "to", "goodput_bps", "frames", "blocks_ok", "blocks_bad"}) {
    EXPECT_TRUE(json["links"][0].contains(key)) << key;
  }
}

TEST(Summary, WhatWasNotReachedIsNull) {
  RunSummary summary;
  take_history(summary, {after(2, 0.5, 1)});
  const auto json = to_json(summary);
  EXPECT_TRUE(json["air_time_to_83_s"].is_null());
  EXPECT_TRUE(json["air_time_to_90_s"].is_null());
  EXPECT_TRUE(json["network_bytes"].is_null());
}

TEST(Summary, GoodputIsVerifiedBitsOverAirTime) {
  link::LinkStats stats;
  stats.peer = 1;
  stats.message_bytes = 25'000;
  const auto link = summarize(stats, 0, 10.0);
  EXPECT_EQ(link.from, 1);
  EXPECT_EQ(link.to, 0);
  EXPECT_EQ(link.goodput_bps, 20'000);
  EXPECT_EQ(summarize(stats, 0, 0.0).goodput_bps, 0);
}

TEST(Summary, ErrorRateIsTheShareOfBadBlocks) {
  EXPECT_EQ(error_rate(good_run().links[0]), 0.25);
  EXPECT_EQ(error_rate(LinkSummary()), 0.0);
}

TEST(Summary, ExitStatusTellsHowItEnded) {
  auto summary = good_run();
  EXPECT_EQ(exit_status(summary), kExitOk);
  summary.ending = Ending::kOutOfTime;
  EXPECT_EQ(exit_status(summary), kExitTargetMissed);
  summary.ending = Ending::kInterrupted;
  EXPECT_EQ(exit_status(summary), kExitInterrupted);
  summary.ending = Ending::kFailed;
  EXPECT_EQ(exit_status(summary), kExitError);
}

TEST(Summary, RanksThatDifferAreNoSuccess) {
  auto summary = good_run();
  summary.weights_sha256 = {"ab12", "cd34"};
  EXPECT_EQ(exit_status(summary), kExitError);
  EXPECT_THAT(to_text(summary), HasSubstr("differ"));
  summary.weights_sha256 = {"", ""};
  EXPECT_FALSE(weights_equal(summary));
}

TEST(Summary, TextNamesTheRunAndItsLinks) {
  const auto text = to_text(good_run());
  EXPECT_THAT(text, HasSubstr("2 laptops in face_1080p (pair)"));
  EXPECT_THAT(text, HasSubstr("91.00%"));
  EXPECT_THAT(text, HasSubstr("83% after 4.0 s"));
  EXPECT_THAT(text, HasSubstr("link 0>1"));
  EXPECT_THAT(text, HasSubstr("100 kbit/s"));
}

}  // namespace
}  // namespace wccl::app
