#include "link/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_air.h"

namespace wccl::link {
namespace {

constexpr std::uint8_t kToOne = 0b10;
constexpr std::uint8_t kToOneAndTwo = 0b110;

struct Sent {
  std::uint32_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Sent&, const Sent&) = default;
};

/// A frame of `n_blocks` blocks of 100 bytes, without repeats unless asked for.
std::vector<Sent> send_frame(Outbox& outbox,
                             std::uint64_t sequence,
                             int n_blocks,
                             bool repeats = false) {
  outbox.begin_frame(sequence);
  std::vector<Sent> sent;
  for (int block = 0; block < n_blocks; ++block) {
    auto data = outbox.next(100);
    if (!data && repeats) {
      data = outbox.repeat(100);
    }
    if (!data) {
      break;
    }
    sent.push_back({data->message_id, data->offset,
                    data->offset + static_cast<std::uint32_t>(data->body.size())});
  }
  return sent;
}

AckPacket ack_with(std::vector<PartialMessage> partials, std::uint32_t floor = 0) {
  AckPacket ack;
  ack.floor = floor;
  ack.partials = std::move(partials);
  return ack;
}

TEST(Outbox, MissingBytesOfASettledFrameAreSentAgainAtOnce) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOne, 1, random_bytes(1'000, 1)).has_value());
  const auto first = send_frame(outbox, 0, 3);
  const auto second = send_frame(outbox, 1, 3);
  ASSERT_EQ(first.size(), 3U);
  // The middle block of frame 0 did not come; frame 1 is still on its way.
  const std::uint32_t gap = first[1].end - first[1].begin;
  outbox.on_ack(
      1, ack_with({{0, 0, true, {{0, first[0].end}, {gap, first[2].end - first[2].begin}}}}), 0);
  const auto third = send_frame(outbox, 2, 2);
  ASSERT_EQ(third.size(), 2U);
  EXPECT_EQ(third[0], first[1]);
  EXPECT_EQ(third[1].begin, second[2].end);
}

TEST(Outbox, BytesInUnsettledFramesAreNotSentAgain) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOne, 1, random_bytes(150, 1)).has_value());
  ASSERT_EQ(send_frame(outbox, 5, 4).size(), 2U);
  outbox.on_ack(1, ack_with({}), 4);
  EXPECT_TRUE(send_frame(outbox, 6, 4).empty());
  outbox.on_ack(1, ack_with({}), 5);
  EXPECT_EQ(send_frame(outbox, 7, 4).size(), 2U);
}

TEST(Outbox, ARepeatedByteIsLostOnlyWhenItsLastFrameIs) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOne, 1, random_bytes(80, 1)).has_value());
  ASSERT_EQ(send_frame(outbox, 0, 1).size(), 1U);
  ASSERT_EQ(send_frame(outbox, 1, 1, true).size(), 1U);
  outbox.on_ack(1, ack_with({}), 0);
  EXPECT_TRUE(send_frame(outbox, 2, 1).empty());
  outbox.on_ack(1, ack_with({}), 1);
  EXPECT_FALSE(send_frame(outbox, 3, 1).empty());
}

TEST(Outbox, RepeatsTakeTurnsAndComeOnceAFrame) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOne, 1, random_bytes(350, 1)).has_value());
  const auto first = send_frame(outbox, 0, 6, true);
  std::uint32_t bytes = 0;
  for (const Sent& sent : first) {
    bytes += sent.end - sent.begin;
  }
  EXPECT_GT(bytes, 362U);
  const auto second = send_frame(outbox, 1, 20, true);
  bytes = 0;
  for (const Sent& sent : second) {
    bytes += sent.end - sent.begin;
  }
  EXPECT_EQ(bytes, 362U);
  EXPECT_EQ(second[0].begin, first.back().end);
}

TEST(Outbox, AMessageIsDoneWhenAllItsDestinationsHaveIt) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOneAndTwo, 1, random_bytes(50, 1)).has_value());
  ASSERT_TRUE(outbox.queue(kToOne, 2, random_bytes(50, 2)).has_value());
  send_frame(outbox, 0, 4);
  outbox.on_ack(1, ack_with({}, 2), 0);
  EXPECT_EQ(outbox.waiting_for(), 0b100);
  EXPECT_EQ(outbox.oldest(), 0U);
  outbox.on_ack(2, ack_with({}, 1), 0);
  EXPECT_TRUE(outbox.all_acknowledged());
  EXPECT_EQ(outbox.oldest(), 2U);
}

TEST(Outbox, WhatAnAckDoesNotDescribeStaysAsItWas) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOne, 1, random_bytes(500, 1)).has_value());
  ASSERT_TRUE(outbox.queue(kToOne, 2, random_bytes(500, 1)).has_value());
  send_frame(outbox, 0, 20);
  AckPacket ack = ack_with({{0, 0, false, {{0, 100}}}});
  ack.last = false;
  outbox.on_ack(1, ack, 0);
  EXPECT_TRUE(send_frame(outbox, 1, 1).empty());
}

TEST(Outbox, ARestartedPeerGetsWhatItsPredecessorHadNotAcknowledged) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOneAndTwo, 1, random_bytes(50, 1)).has_value());
  ASSERT_TRUE(outbox.queue(kToOne, 1, random_bytes(60, 2)).has_value());
  send_frame(outbox, 0, 4);
  outbox.on_ack(1, ack_with({}, 1), 0);
  outbox.on_restart(1);
  EXPECT_EQ(outbox.waiting_for(), 0b110);
  outbox.on_ack(2, ack_with({}, 1), 0);
  EXPECT_EQ(outbox.waiting_for(), kToOne);
}

TEST(Outbox, DataNamesOnlyWhoStillWaits) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOneAndTwo, 1, random_bytes(50, 1)).has_value());
  send_frame(outbox, 0, 4);
  outbox.on_ack(1, ack_with({}, 1), 0);
  outbox.begin_frame(1);
  EXPECT_FALSE(outbox.next(117));
  const auto data = outbox.repeat(117);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->destinations, 0b100);
}

TEST(Outbox, NothingIsKeptForAPeerThatIsDropped) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOneAndTwo, 1, random_bytes(5'000, 1)).has_value());
  ASSERT_TRUE(outbox.queue(kToOne, 1, random_bytes(60, 2)).has_value());
  send_frame(outbox, 0, 4);
  outbox.drop(1);
  EXPECT_EQ(outbox.waiting_for(), 0b100);
  outbox.drop(2);
  EXPECT_TRUE(outbox.all_acknowledged());
  EXPECT_EQ(outbox.backlog_bytes(), 0U);
}

TEST(Outbox, TheWindowBoundsWhatIsUnderWay) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(kToOne, 1, Bytes(2 * kSendWindowBytes)).has_value());
  std::size_t n_bytes = 0;
  for (std::uint64_t sequence = 0; sequence < 2'000; ++sequence) {
    outbox.begin_frame(sequence);
    while (const auto data = outbox.next(5'000)) {
      n_bytes += data->body.size();
    }
  }
  EXPECT_GE(n_bytes, kSendWindowBytes);
  EXPECT_LT(n_bytes, kSendWindowBytes + 5'000);
}

TEST(Outbox, RefusesMessagesThatAreTooLongAndAQueueThatIsTooFull) {
  Outbox outbox;
  const Bytes too_long(kMaxMessageBytes + 1);
  EXPECT_EQ(outbox.queue(kToOne, 1, too_long).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace wccl::link
