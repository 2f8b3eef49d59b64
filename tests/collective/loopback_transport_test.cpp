#include "collective/loopback_transport.h"

#include <array>

#include <gmock/gmock.h>

namespace wccl {
namespace {

constexpr std::array<Rank, 1> kToOne = {1};

Bytes message_of(std::uint8_t value) {
  return Bytes(3, std::byte{value});
}

TEST(LoopbackTransport, AMessageIsThereOnce) {
  LoopbackWorld world(2);
  ASSERT_TRUE(world.transport(0).send(kToOne, 5, message_of(1)));
  Transport& receiver = world.transport(1);
  EXPECT_FALSE(receiver.try_receive(0, 4));
  EXPECT_EQ(receiver.try_receive(0, 5), message_of(1));
  EXPECT_FALSE(receiver.try_receive(0, 5));
}

TEST(LoopbackTransport, OneSendReachesSeveralRanks) {
  LoopbackWorld world(3);
  const std::array<Rank, 2> to = {1, 2};
  ASSERT_TRUE(world.transport(0).send(to, 0, message_of(7)));
  EXPECT_EQ(*world.transport(1).receive(0, 0), message_of(7));
  EXPECT_EQ(*world.transport(2).receive(0, 0), message_of(7));
}

TEST(LoopbackTransport, OnlyPeersCanBeAddressed) {
  LoopbackWorld world(2);
  for (const Rank bad : {0, 2, -1}) {
    EXPECT_EQ(world.transport(0).send(std::array{bad}, 0, {}).error().code,
              ErrorCode::kInvalidArgument);
    EXPECT_EQ(world.transport(0).receive(bad, 0).error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(LoopbackTransport, SilenceIsATimeoutThatNamesTheRank) {
  LoopbackWorld world(2, {.timeout = std::chrono::milliseconds(10)});
  const auto received = world.transport(0).receive(1, 0);
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(received.error().message, testing::HasSubstr("rank 1"));
}

TEST(LoopbackTransport, WhatALostRankSentBeforeStillArrives) {
  LoopbackWorld world(2);
  ASSERT_TRUE(world.transport(1).send(std::array{0}, 0, message_of(1)));
  world.lose(1);
  EXPECT_TRUE(world.transport(0).receive(1, 0));
  EXPECT_EQ(world.transport(0).receive(1, 1).error().code, ErrorCode::kPeerLost);
  EXPECT_EQ(world.transport(1).send(std::array{0}, 2, {}).error().code, ErrorCode::kPeerLost);
  EXPECT_EQ(world.transport(1).receive(0, 2).error().code, ErrorCode::kPeerLost);
}

TEST(LoopbackTransport, DelayedMessagesArriveAndFlushWaitsForThem) {
  LoopbackWorld world(2, {.max_delay = std::chrono::milliseconds(5), .seed = 3});
  for (Tag tag = 0; tag < 20; ++tag) {
    ASSERT_TRUE(world.transport(0).send(kToOne, tag, message_of(static_cast<std::uint8_t>(tag))));
  }
  ASSERT_TRUE(world.transport(0).flush());
  for (Tag tag = 0; tag < 20; ++tag) {
    EXPECT_EQ(world.transport(1).try_receive(0, tag), message_of(static_cast<std::uint8_t>(tag)));
  }
}

}  // namespace
}  // namespace wccl
