#include "link/inbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "phy/crc.h"
#include "simulated_air.h"

namespace wccl::link {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint8_t kToUs = 0b10;

Bytes stream_of(Tag tag, const Bytes& message) {
  ByteWriter writer;
  writer.put(tag);
  writer.put(static_cast<std::uint32_t>(message.size()));
  writer.put(phy::crc32(message));
  writer.put_bytes(message);
  return writer.take();
}

DataPacket piece(const Bytes& stream, std::uint32_t id, std::uint32_t begin, std::uint32_t end) {
  return {kToUs, id, begin, std::span(stream).subspan(begin, end - begin)};
}

AckPacket ack_of(const Inbox& inbox, std::size_t budget = 100) {
  AckPacket ack;
  Inbox::Position at;
  inbox.describe(ack);
  ack.last = inbox.describe_partials(ack, at, budget);
  return ack;
}

TEST(Inbox, AssemblesOverlappingPiecesInAnyOrder) {
  Inbox inbox(1);
  const Bytes message = random_bytes(100, 1);
  const Bytes stream = stream_of(3, message);
  inbox.on_data(piece(stream, 0, 60, 112));
  inbox.on_data(piece(stream, 0, 5, 70));
  EXPECT_FALSE(inbox.take(3).has_value());
  inbox.on_data(piece(stream, 0, 0, 6));
  EXPECT_EQ(inbox.take(3), message);
  EXPECT_EQ(inbox.message_bytes(), 100U);
  EXPECT_EQ(inbox.new_bytes(), 112U);
}

TEST(Inbox, AcknowledgesWhatHasComeAndWhatIsMissing) {
  Inbox inbox(1);
  const Bytes stream = stream_of(3, random_bytes(1'000, 1));
  inbox.on_data(piece(stream, 2, 10, 20));
  inbox.on_data(piece(stream, 2, 300, 500));
  const Bytes whole = stream_of(4, {});
  inbox.on_data(piece(whole, 0, 0, 12));
  inbox.on_data(piece(whole, 3, 0, 12));
  const AckPacket ack = ack_of(inbox);
  EXPECT_EQ(ack.floor, 1U);
  EXPECT_THAT(ack.done, ElementsAre(0b100));
  EXPECT_TRUE(ack.last);
  EXPECT_THAT(ack.partials, ElementsAre(PartialMessage{2, 0, true, {{10, 10}, {280, 200}}}));
}

TEST(Inbox, LongListsGoOnInTheNextPacket) {
  Inbox inbox(1);
  const Bytes stream = stream_of(3, random_bytes(1'000, 1));
  for (std::uint32_t at = 0; at < 1'000; at += 20) {
    inbox.on_data(piece(stream, 0, at, at + 10));
  }
  Inbox::Position at;
  std::size_t n_runs = 0;
  std::uint32_t end = 0;
  for (bool last = false; !last;) {
    AckPacket ack;
    last = inbox.describe_partials(ack, at, 20);
    ASSERT_THAT(ack.partials, SizeIs(1));
    EXPECT_EQ(ack.partials[0].start, end);
    EXPECT_EQ(ack.partials[0].complete, last);
    for (const AckRun& run : ack.partials[0].runs) {
      ++n_runs;
      end += run.gap + run.length;
    }
  }
  EXPECT_EQ(n_runs, 50U);
  EXPECT_EQ(end, 990U);
}

TEST(Inbox, MessagesForOthersAndSettledOnesAreFinished) {
  Inbox inbox(1);
  const Bytes stream = stream_of(3, random_bytes(10, 1));
  inbox.on_data({0b100, 0, 0, stream});
  EXPECT_EQ(ack_of(inbox).floor, 1U);
  inbox.on_data(piece(stream, 5, 0, 15));
  inbox.on_status({9, 1});
  EXPECT_EQ(ack_of(inbox).floor, 9U);
  EXPECT_THAT(ack_of(inbox).partials, IsEmpty());
  inbox.on_data(piece(stream, 8, 0, 22));
  EXPECT_FALSE(inbox.take(3).has_value());
}

TEST(Inbox, StreamWhoseChecksumFailsStartsOver) {
  Inbox inbox(1);
  const Bytes message = random_bytes(50, 1);
  const Bytes stream = stream_of(3, message);
  Bytes torn = stream;
  torn[30] ^= std::byte{1};
  inbox.on_data(piece(torn, 0, 0, 62));
  EXPECT_FALSE(inbox.take(3).has_value());
  EXPECT_EQ(inbox.corrupt_messages(), 1U);
  EXPECT_THAT(ack_of(inbox).partials, IsEmpty());
  inbox.on_data(piece(stream, 0, 0, 62));
  EXPECT_EQ(inbox.take(3), message);
}

TEST(Inbox, StreamThatIsLongerThanItsHeadSaysStartsOver) {
  Inbox inbox(1);
  const Bytes stream = stream_of(3, random_bytes(50, 1));
  const Bytes more = random_bytes(80, 2);
  inbox.on_data(piece(more, 0, 70, 80));
  inbox.on_data(piece(stream, 0, 0, 62));
  EXPECT_EQ(inbox.corrupt_messages(), 1U);
  EXPECT_FALSE(inbox.take(3).has_value());
}

TEST(Inbox, AHeadThatSaysMoreThanAMessageCanHoldStartsOver) {
  Inbox inbox(1);
  ByteWriter head;
  for (const std::uint32_t field : {3U, static_cast<std::uint32_t>(kMaxMessageBytes) + 1, 0U}) {
    head.put(field);
  }
  const Bytes stream = head.take();
  inbox.on_data(piece(stream, 0, 0, 12));
  EXPECT_EQ(inbox.corrupt_messages(), 1U);
  EXPECT_THAT(ack_of(inbox).partials, IsEmpty());
}

TEST(Inbox, EmptyMessagesThatNobodyTakesAreRefusedInTheEnd) {
  Inbox inbox(1);
  const Bytes stream = stream_of(3, {});
  for (std::uint32_t id = 0; id < kMaxUntakenMessages + 10; ++id) {
    inbox.on_data(piece(stream, id, 0, 12));
  }
  EXPECT_EQ(ack_of(inbox).floor, kMaxUntakenMessages);
  EXPECT_TRUE(inbox.take(3).has_value());
  inbox.on_data(piece(stream, kMaxUntakenMessages, 0, 12));
  EXPECT_EQ(ack_of(inbox).floor, kMaxUntakenMessages + 1);
}

TEST(Inbox, PiecesFarAheadAreRefused) {
  Inbox inbox(1);
  const Bytes body = random_bytes(100, 1);
  inbox.on_data({kToUs, 0, kReceiveWindowBytes, body});
  inbox.on_data({kToUs, 2 * kMessageWindow, 0, body});
  EXPECT_THAT(ack_of(inbox).partials, IsEmpty());
  inbox.on_data({kToUs, 0, kReceiveWindowBytes - 100, body});
  EXPECT_THAT(ack_of(inbox).partials, SizeIs(1));
}

}  // namespace
}  // namespace wccl::link
