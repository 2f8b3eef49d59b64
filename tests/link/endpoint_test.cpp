#include "link/endpoint.h"

#include <array>
#include <vector>

#include <gmock/gmock.h>

#include "air_messages.h"
#include "simulated_air.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Endpoint, CalibratesWithinASecond) {
  for (const int n_nodes : {2, 3, 5}) {
    SimulatedAir air(n_nodes, {});
    EXPECT_TRUE(air.calibrate(1s)) << n_nodes;
    for (const LinkStats& stats : air.node(0).stats()) {
      EXPECT_TRUE(stats.in_view);
      EXPECT_EQ(stats.quality.levels[1][0], 180);
    }
  }
}

/// What 200 kB from rank 0 take to rank 1.
Duration time_of_transfer(int n_nodes, AirOptions options, const std::vector<Rank>& to) {
  SimulatedAir air(n_nodes, std::move(options));
  EXPECT_TRUE(air.calibrate(10s));
  const Instant begin = air.now();
  send(air, 0, to, 1, random_bytes(200'000, 1));
  EXPECT_TRUE(receive(air, 1, 0, 1, 60s).has_value());
  return air.now() - begin;
}

TEST(Endpoint, TwoFastLaptopsDoNotWaitForAThirdOnesSlowCamera) {
  AirOptions slow_third;
  slow_third.capture_periods[2] = 333ms;
  const Duration alone = time_of_transfer(2, {}, {1});
  EXPECT_LT(time_of_transfer(3, slow_third, {1}), 2 * alone);
}

TEST(Endpoint, ASlowCameraGetsWhatIsMeantForIt) {
  AirOptions slow_third;
  slow_third.capture_periods[2] = 333ms;
  SimulatedAir air(3, slow_third);
  ASSERT_TRUE(air.calibrate(10s));
  const Bytes message = random_bytes(20'000, 1);
  send(air, 0, {1, 2}, 1, message);
  EXPECT_EQ(receive(air, 1, 0, 1, 30s), message);
  EXPECT_EQ(receive(air, 2, 0, 1, 30s), message);
  EXPECT_TRUE(air.run_until([&] { return air.node(0).all_acknowledged(); }, 10s));
}

TEST(Endpoint, IsNotCalibratedWhileAPeerIsBlind) {
  AirOptions options;
  options.visible = [](Rank from, Rank to, Instant now) {
    return !(from == 0 && to == 2) || to_seconds(now) > 4;
  };
  SimulatedAir air(3, options);
  air.run_for(3s);
  for (const Rank rank : {0, 1, 2}) {
    EXPECT_FALSE(air.node(rank).calibrated()) << rank;
  }
  EXPECT_THAT(air.node(2).lost_peers(air.now()), ElementsAre(0));
  EXPECT_TRUE(air.calibrate(3s));
}

TEST(Endpoint, OneSidedBlindnessLeavesMessagesUnacknowledgedUntilItEnds) {
  AirOptions options;
  bool blind = false;
  options.visible = [&blind](Rank from, Rank, Instant) { return !(blind && from == 1); };
  SimulatedAir air(2, options, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  blind = true;
  send(air, 0, {1}, 1, random_bytes(2'680, 1));
  EXPECT_TRUE(receive(air, 1, 0, 1, 2s).has_value());
  air.run_for(5s);
  EXPECT_FALSE(air.node(0).all_acknowledged());
  EXPECT_THAT(air.node(0).lost_peers(air.now()), ElementsAre(1));
  EXPECT_THAT(air.node(1).lost_peers(air.now()), IsEmpty());
  blind = false;
  EXPECT_TRUE(air.run_until([&] { return air.node(0).all_acknowledged(); }, 2s));
}

TEST(Endpoint, TransferGoesOnWhenALostViewIsFoundAgain) {
  bool covered = false;
  AirOptions options;
  options.visible = [&covered](Rank, Rank, Instant) { return !covered; };
  SimulatedAir air(2, options, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  const Bytes message = random_bytes(300'000, 1);
  send(air, 0, {1}, 1, message);
  air.run_for(1s);
  covered = true;
  air.run_for(5s);
  EXPECT_FALSE(air.node(0).calibrated());
  EXPECT_THAT(air.node(1).lost_peers(air.now()), ElementsAre(0));
  covered = false;
  const Instant start = air.now();
  EXPECT_EQ(receive(air, 1, 0, 1, 60s), message);
  EXPECT_LT(to_seconds(air.now() - start), 6.0);
  EXPECT_EQ(air.node(1).stats()[0].relocks, 1U);
  EXPECT_TRUE(air.node(0).calibrated());
}

TEST(Endpoint, SurvivesGarbageInBlocks) {
  SimulatedAir air(2, {}, fixed_mode(kFast));
  ASSERT_TRUE(air.calibrate());
  const auto frame = next_frame(air, 0);
  ASSERT_TRUE(frame.has_value());
  Rng rng(4);
  phy::FrameHeader header = frame->header;
  for (int i = 0; i < 20'000; ++i) {
    header.sequence = static_cast<std::uint16_t>(header.sequence + rng.below(3));
    phy::ScreenReception screen;
    screen.node = 0;
    Bytes block = frame->payloads[rng.below(frame->payloads.size())];
    const std::uint64_t n_changes = rng.below(6);
    for (std::uint64_t k = 0; k < n_changes; ++k) {
      block[rng.below(40)] = static_cast<std::byte>(rng.below(256));
    }
    if (rng.below(4) == 0) {
      block = random_bytes(rng.below(118), rng.next());
    }
    screen.frames.push_back({header, {{0, block}}});
    air.node(1).on_reception({air.now(), {screen}}, air.now());
    (void)air.node(1).next_frame(air.now() + Duration(i * 1'000));
  }
  EXPECT_GT(air.node(1).rejected_packets(), 1'000U);
}

TEST(Endpoint, RefusesDestinationsThatAreNoPeers) {
  SimulatedAir air(2, {});
  for (const Rank to : {-1, 0, 2, 100}) {
    const auto status = air.node(0).send(std::array{to}, 1, {});
    ASSERT_FALSE(status.has_value()) << to;
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(Endpoint, SameSeedGivesTheSameFrames) {
  const auto run = [](std::uint64_t seed) {
    AirOptions options;
    options.seed = seed;
    options.block_loss = 0.2;
    options.frame_loss = 0.1;
    SimulatedAir air(3, options);
    EXPECT_TRUE(air.calibrate());
    send(air, 0, {1, 2}, 1, random_bytes(50'000, 1));
    send(air, 1, {0}, 1, random_bytes(20'000, 2));
    air.run_for(5s);
    return air.trace();
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(Endpoint, FindsTheFastestModeThatItsWorstReceiverReads) {
  AirOptions options;
  options.loss = [](Rank, Rank to, phy::ModeId mode, Instant) {
    return to == 2 && mode > 2 ? 1.0 : 0.01;
  };
  options.late_share = 0;
  SimulatedAir air(3, options);
  ASSERT_TRUE(air.calibrate());
  air.run_for(4s);
  EXPECT_EQ(air.node(0).mode(), 2);
  EXPECT_EQ(air.node(1).mode(), 2);
  EXPECT_EQ(air.node(2).mode(), 3);
  const Bytes message = random_bytes(300'000, 1);
  send(air, 0, {1, 2}, 1, message);
  EXPECT_EQ(receive(air, 2, 0, 1, 10s), message);
}

TEST(Endpoint, FollowsTheChannelDownAndUpAgain) {
  bool foggy = false;
  AirOptions options;
  options.loss = [&foggy](Rank, Rank, phy::ModeId mode, Instant) {
    return foggy && mode > 1 ? 1.0 : 0.02;
  };
  options.late_share = 0;
  SimulatedAir air(2, options);
  ASSERT_TRUE(air.calibrate());
  air.run_for(2s);
  EXPECT_EQ(air.node(0).mode(), 3);
  foggy = true;
  air.options().snr_offset_db = -16;
  const Bytes message = random_bytes(30'000, 1);
  send(air, 0, {1}, 1, message);
  EXPECT_EQ(receive(air, 1, 0, 1, 10s), message);
  EXPECT_LE(air.node(0).mode(), 1);
  foggy = false;
  air.options().snr_offset_db = 0;
  air.run_for(4s);
  EXPECT_EQ(air.node(0).mode(), 3);
}

TEST(Sending, IsFixedAndFilledUntilItIsChosenAgain) {
  SimulatedAir air(2, {}, {});
  ASSERT_TRUE(air.calibrate());
  air.node(0).fix({kFast, 4, true});
  const auto fixed = next_frame(air, 0);
  ASSERT_TRUE(fixed);
  EXPECT_EQ(fixed->header.mode, kFast);
  EXPECT_EQ(fixed->payloads.size(), test_block_sizes(kFast).size());
  air.run_for(3s);
  EXPECT_EQ(air.node(0).mode(), kFast);

  air.node(0).fix({});
  const auto chosen = next_frame(air, 0);
  ASSERT_TRUE(chosen);
  EXPECT_NE(chosen->header.mode, kFast);
  EXPECT_LT(chosen->payloads.size(), test_block_sizes(chosen->header.mode).size());
  const Bytes message = random_bytes(10'000, 1);
  send(air, 0, {1}, 7, message);
  EXPECT_EQ(receive(air, 1, 0, 7, 20s), message);
}

}  // namespace
}  // namespace wccl::link
