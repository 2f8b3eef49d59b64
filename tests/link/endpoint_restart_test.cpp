#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "air_messages.h"
#include "link/endpoint.h"
#include "simulated_air.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

TEST(Endpoint, RestartedSenderBeginsAnew) {
  SimulatedAir air(2, {}, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  send(air, 0, {1}, 1, random_bytes(100, 1));
  send(air, 0, {1}, 2, random_bytes(300'000, 2));
  air.run_for(1s);
  air.restart(0);
  // Its ids and tags start again; what the old one left behind must not be taken for them.
  send(air, 0, {1}, 1, random_bytes(100, 3));
  send(air, 0, {1}, 2, random_bytes(100, 4));
  air.run_for(2s);
  EXPECT_EQ(air.node(1).try_receive(0, 1), random_bytes(100, 3));
  EXPECT_EQ(air.node(1).try_receive(0, 2), random_bytes(100, 4));
  EXPECT_TRUE(air.node(0).all_acknowledged());
}

TEST(Endpoint, RestartedReceiverGetsWhatIsUnderWay) {
  SimulatedAir air(2, {}, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  const Bytes message = random_bytes(300'000, 2);
  send(air, 0, {1}, 2, message);
  air.run_for(1s);
  air.restart(1);
  EXPECT_EQ(receive(air, 1, 0, 2, 20s), message);
}

TEST(Endpoint, FramesOfAPastEpochAreDropped) {
  SimulatedAir air(2, {}, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  const auto old = next_frame(air, 0);
  ASSERT_TRUE(old.has_value());
  air.restart(0);
  air.run_for(1s);
  const std::uint64_t frames = air.node(1).stats()[0].frames;
  phy::ScreenReception screen;
  screen.node = 0;
  screen.frames.push_back({old->header, {{0, old->payloads[0]}}});
  air.node(1).on_reception({air.now(), {screen}}, air.now());
  EXPECT_EQ(air.node(1).stats()[0].frames, frames);
}

TEST(Endpoint, IncarnationsOfAPeerAreCounted) {
  SimulatedAir air(2, {}, fixed_mode(kFast));
  EXPECT_EQ(air.node(0).incarnation(1), 0U);
  ASSERT_TRUE(air.calibrate());
  EXPECT_EQ(air.node(0).incarnation(1), 1U);
  air.restart(1);
  air.run_for(1s);
  EXPECT_EQ(air.node(0).incarnation(1), 2U);
  EXPECT_EQ(air.node(0).incarnation(0), 0U);
  EXPECT_EQ(air.node(1).incarnation(0), 1U);
}

TEST(Endpoint, ARestartedPeerGetsNothingThatItsPredecessorAcknowledged) {
  SimulatedAir air(3, {}, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  // Rank 2 is away, so that the message stays in the outbox.
  air.options().visible = [](Rank from, Rank to, Instant) { return from == 1 || to == 1; };
  send(air, 0, {1, 2}, 5, random_bytes(4'000, 1));
  EXPECT_EQ(receive(air, 1, 0, 5, 5s), random_bytes(4'000, 1));
  air.run_for(1s);
  air.restart(1);
  air.run_for(2s);
  send(air, 0, {1}, 6, random_bytes(100, 2));
  EXPECT_EQ(receive(air, 1, 0, 6, 5s), random_bytes(100, 2));
  air.run_for(1s);
  EXPECT_EQ(air.node(1).try_receive(0, 5), std::nullopt);
  EXPECT_EQ(air.node(0).unacknowledged_by(), std::vector<Rank>{2});
}

TEST(Endpoint, WhatIsDroppedForAPeerStillGoesToTheOthers) {
  AirOptions options;
  options.visible = [](Rank, Rank to, Instant now) { return to == 0 || now < Instant(2s); };
  SimulatedAir air(3, options, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  air.run_for(2s);
  send(air, 0, {1, 2}, 5, random_bytes(400'000, 1));
  send(air, 0, {1}, 6, random_bytes(5'000, 2));
  air.run_for(500ms);
  air.node(0).drop_queued(1);
  send(air, 0, {1}, 7, random_bytes(300, 3));
  air.options().visible = {};
  EXPECT_EQ(receive(air, 2, 0, 5, 20s), random_bytes(400'000, 1));
  EXPECT_EQ(receive(air, 1, 0, 7, 20s), random_bytes(300, 3));
  EXPECT_EQ(air.node(1).try_receive(0, 5), std::nullopt);
  EXPECT_EQ(air.node(1).try_receive(0, 6), std::nullopt);
  EXPECT_TRUE(air.run_until([&] { return air.node(0).all_acknowledged(); }, 5s));
}

TEST(Endpoint, AGoodbyeOvertakesWhatIsQueued) {
  SimulatedAir air(2, {}, fixed_mode(0));
  ASSERT_TRUE(air.calibrate());
  send(air, 0, {1}, 1, random_bytes(1'000'000, 1));
  air.run_for(500ms);
  ASSERT_TRUE(air.node(0).say_goodbye(std::array{1}, Departure{0, "interrupted there"}));
  EXPECT_TRUE(air.run_until([&] { return air.node(1).departure(0).has_value(); }, 1s));
  EXPECT_TRUE(air.run_until([&] { return air.node(0).all_acknowledged(); }, 1s));
}

TEST(Endpoint, ADepartureIsForgottenWhenThePeerComesBack) {
  SimulatedAir air(2, {}, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  ASSERT_TRUE(air.node(0).say_goodbye(std::array{1}, Departure{0, "interrupted there"}));
  ASSERT_TRUE(air.run_until([&] { return air.node(1).departure(0).has_value(); }, 1s));
  air.restart(0);
  ASSERT_TRUE(air.run_until([&] { return air.node(1).incarnation(0) == 2; }, 2s));
  EXPECT_FALSE(air.node(1).departure(0));
  EXPECT_FALSE(air.node(1).has_said_goodbye(0));
}

TEST(Endpoint, ADepartureIsNoneForWhoWasStartedAnewSince) {
  SimulatedAir air(2, {}, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  air.options().visible = [](Rank, Rank, Instant) { return false; };
  ASSERT_TRUE(air.node(0).say_goodbye(std::array{1}, Departure{0, "rank 1 did not answer"}));
  air.restart(1);
  air.options().visible = nullptr;
  ASSERT_TRUE(air.run_until([&] { return air.node(0).all_acknowledged(); }, 2s));
  EXPECT_FALSE(air.node(1).departure(0));
}

}  // namespace
}  // namespace wccl::link
