#include <array>
#include <vector>

#include <gmock/gmock.h>

#include "air_messages.h"
#include "link/endpoint.h"
#include "simulated_air.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

TEST(Endpoint, ScreensOfNoPeerAreIgnored) {
  SimulatedAir air(2, {}, fixed_mode(kFast));
  for (const std::uint8_t node :
       std::to_array<std::uint8_t>({1, 5, 15})) {  // Its own image in a mirror, and strangers.
    phy::ScreenReception screen;
    screen.node = node;
    phy::FrameHeader header;
    header.node = node;
    screen.frames.push_back({header, {}});
    air.node(1).on_reception({air.now(), {screen}}, air.now());
  }
  EXPECT_EQ(air.node(1).stats()[0].frames, 0U);
}

/// A screen that shows one frame without payload.
phy::ScreenReception screen_of(std::uint8_t node, std::uint16_t epoch, std::uint16_t sequence) {
  phy::ScreenReception screen;
  screen.node = node;
  screen.epoch = epoch;
  phy::FrameHeader header;
  header.node = node;
  header.epoch = epoch;
  header.sequence = sequence;
  screen.frames.push_back({header, {}});
  return screen;
}

TEST(Endpoint, AnotherLaptopWithOurRankIsNamed) {
  SimulatedAir air(2, {});
  const std::uint16_t own_epoch = air.node(1).options().epoch;
  for (std::uint16_t i = 0; i < 5; ++i) {
    air.node(1).on_reception({air.now(), {screen_of(1, own_epoch, i)}}, air.now());
  }
  EXPECT_TRUE(air.node(1).conflicts(air.now()).empty());  // A mirror.
  for (std::uint16_t i = 0; i < 3; ++i) {
    air.node(1).on_reception({air.now(), {screen_of(1, 999, i)}}, air.now());
  }
  EXPECT_EQ(air.node(1).conflicts(air.now()), std::vector<Rank>{1});
  EXPECT_EQ(air.node(1).complaint(air.now()),
            "another laptop shows rank 1 too: start one of them with another --rank");
  EXPECT_TRUE(air.node(1).conflicts(air.now() + 5s).empty());
}

TEST(Endpoint, TwoPeersWithOneRankAreNamedAndARestartIsNot) {
  SimulatedAir air(3, {});
  ASSERT_TRUE(air.calibrate());
  air.restart(1);
  air.run_for(2s);
  EXPECT_TRUE(air.node(0).conflicts(air.now()).empty());
  const std::uint16_t epoch = air.node(1).options().epoch;
  for (std::uint16_t i = 0; i < 5; ++i) {
    air.node(0).on_reception({air.now(), {screen_of(1, epoch, i), screen_of(1, 999, i)}},
                             air.now() + Duration(i));
  }
  EXPECT_EQ(air.node(0).conflicts(air.now()), std::vector<Rank>{1});
  EXPECT_THAT(air.node(0).complaint(air.now()), testing::StartsWith("two laptops show rank 1"));
}

TEST(Endpoint, AForeignVersionIsNamedWhenSeveralCapturesShowIt) {
  SimulatedAir air(2, {});
  phy::CaptureReception reception{air.now(), {}, {3}};
  air.node(0).on_reception(reception, air.now());
  air.node(0).on_reception(reception, air.now());
  EXPECT_EQ(air.node(0).foreign_version(air.now()), std::nullopt);
  EXPECT_EQ(air.node(0).complaint(air.now()), "");
  air.node(0).on_reception(reception, air.now());
  EXPECT_EQ(air.node(0).foreign_version(air.now()), 3);
  EXPECT_EQ(
      air.node(0).complaint(air.now()),
      "a screen in sight shows frames of version 3, this program reads version 2: update this "
      "one");
  EXPECT_EQ(air.node(0).foreign_version(air.now() + 4s), std::nullopt);
}

TEST(Endpoint, AnotherWorldSizeIsNamed) {
  SimulatedAir air(2, {});
  for (std::uint16_t i = 0; i < 3; ++i) {
    phy::ScreenReception screen = screen_of(1, 7, i);
    screen.frames[0].header.feedback = pack_feedback({.world_size = 3});
    air.node(0).on_reception({air.now(), {screen}}, air.now());
  }
  EXPECT_EQ(air.node(0).complaint(air.now()),
            "rank 1 was started for 3 laptops, this one for 2: start all with the same --nodes");
}

TEST(Endpoint, WhoAimsSeesAllAndIsNoPartner) {
  SimulatedAir air(2, {});
  air.restart(0, Activity::kTrain);
  air.restart(1, Activity::kAim);
  const std::array to{1};
  ASSERT_TRUE(air.node(0).send(to, 7, random_bytes(100, 1)));
  EXPECT_FALSE(air.calibrate());
  EXPECT_TRUE(air.node(1).calibrated());
  EXPECT_FALSE(air.node(0).calibrated());
  EXPECT_FALSE(air.node(0).works_with(1));
  EXPECT_FALSE(air.node(0).all_acknowledged());
  EXPECT_EQ(air.node(0).complaint(air.now()), "");

  air.restart(1, Activity::kTrain);
  EXPECT_TRUE(air.calibrate());
  air.run_for(1s);
  EXPECT_EQ(air.node(1).try_receive(0, 7), random_bytes(100, 1));
}

TEST(Endpoint, AnotherCommandIsNamedOnceItHasLasted) {
  SimulatedAir air(2, {});
  air.restart(0, Activity::kTrain);
  air.restart(1, Activity::kTransfer);
  EXPECT_FALSE(air.calibrate(4s));
  EXPECT_EQ(air.node(0).complaint(air.now()), "");
  air.run_for(2s);
  EXPECT_EQ(air.node(0).complaint(air.now()),
            "rank 1 runs `wccl send` or `wccl receive`, this laptop `wccl train`: end one of them, "
            "and start the command that fits the other");
  air.restart(1, Activity::kTrain);
  EXPECT_TRUE(air.calibrate());
  EXPECT_EQ(air.node(0).complaint(air.now()), "");
}

TEST(Endpoint, LaptopsWithoutARankAreNotedAndNoPeers) {
  SimulatedAir air(2, {});
  air.node(0).on_reception({air.now(), {screen_of(phy::kUnnumberedNode, 515, 1)}}, air.now());
  EXPECT_EQ(air.node(0).seekers(air.now()), std::vector<std::uint16_t>{515});
  EXPECT_TRUE(air.node(0).seekers(air.now() + 4s).empty());
  EXPECT_EQ(air.node(0).incarnation(1), 0U);
}

}  // namespace
}  // namespace wccl::link
