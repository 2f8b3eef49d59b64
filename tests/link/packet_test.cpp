#include "link/packet.h"

#include <fstream>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "link/feedback.h"
#include "link/inbox.h"
#include "link/outbox.h"
#include "simulated_air.h"

namespace wccl::link {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

Bytes from_hex(const std::string& hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

/// tests/vectors/packet_format.txt, written by tools/make_packet_vectors.py.
Bytes vector_named(const std::string& wanted) {
  std::ifstream file(std::string(WCCL_SOURCE_DIR) + "/tests/vectors/packet_format.txt");
  std::string name;
  std::string hex;
  while (file >> name >> hex) {
    if (name == wanted) {
      return from_hex(hex);
    }
  }
  ADD_FAILURE() << "no vector " << wanted;
  return {};
}

Bytes text(std::string_view characters) {
  Bytes bytes;
  for (const char c : characters) {
    bytes.push_back(static_cast<std::byte>(c));
  }
  return bytes;
}

template <class T>
T parse_one(const Bytes& bytes) {
  const ParsedBlock parsed = parse_block(bytes);
  EXPECT_EQ(parsed.n_rejected, 0);
  EXPECT_THAT(parsed.packets, SizeIs(1));
  return std::get<T>(parsed.packets.at(0));
}

AckPacket full_ack() {
  AckPacket ack;
  ack.peer = 2;
  ack.epoch = 0xBEEF;
  ack.settled = 0xFFFE;
  ack.quality_mode = 9;
  ack.snr = {57, 255, 0};
  ack.cell_px = 29;
  ack.capture_period = 50;
  ack.frames = {{395, 7}, {0, 0}, {12, 1}};
  ack.floor = 1000;
  ack.done = {0x02, 0x80};
  ack.last = false;
  ack.partials = {{1000, 0, true, {{0, 4096}, {117, 300}}}, {1003, 70'000, false, {{90, 1}}}};
  return ack;
}

TEST(PacketFormat, StreamMatchesGoldenVectors) {
  Outbox outbox;
  ASSERT_TRUE(outbox.queue(0x02, 7, text("hello")).has_value());
  ASSERT_TRUE(outbox.queue(0x02, 0xFFFFFFFF, {}).has_value());
  outbox.begin_frame(0);
  for (const char* name : {"stream_hello", "stream_empty"}) {
    const auto data = outbox.next(117);
    ASSERT_TRUE(data.has_value());
    EXPECT_EQ(Bytes(data->body.begin(), data->body.end()), vector_named(name));
  }
}

TEST(PacketFormat, DataMatchesGoldenVectors) {
  const Bytes hello = vector_named("stream_hello");
  EXPECT_EQ(encode_packet(DataPacket{0x02, 5, 0, hello}), vector_named("data_hello"));
  Bytes piece;
  for (unsigned i = 0; i < 200; ++i) {
    piece.push_back(static_cast<std::byte>(i * 7));
  }
  const Bytes encoded = vector_named("data_long");
  EXPECT_EQ(encode_packet(DataPacket{0x81, 300, 1'000'000, piece}), encoded);
  const auto data = parse_one<DataPacket>(encoded);
  EXPECT_EQ(data.destinations, 0x81);
  EXPECT_EQ(data.message_id, 300U);
  EXPECT_EQ(data.offset, 1'000'000U);
  EXPECT_EQ(Bytes(data.body.begin(), data.body.end()), piece);
}

TEST(PacketFormat, StatusMatchesGoldenVectors) {
  EXPECT_EQ(encode_packet(StatusPacket{0, 1}), vector_named("status_first"));
  EXPECT_EQ(encode_packet(StatusPacket{100'000, 395}), vector_named("status_late"));
  const auto status = parse_one<StatusPacket>(vector_named("status_late"));
  EXPECT_EQ(status.oldest_message, 100'000U);
  EXPECT_EQ(status.blocks_used, 395);
}

TEST(PacketFormat, AckMatchesGoldenVectors) {
  AckPacket silent;
  silent.peer = 1;
  silent.epoch = 1;
  EXPECT_EQ(encode_packet(silent), vector_named("ack_silent"));
  EXPECT_EQ(encode_packet(full_ack()), vector_named("ack_full"));
  const auto ack = parse_one<AckPacket>(vector_named("ack_full"));
  EXPECT_EQ(ack.peer, 2);
  EXPECT_EQ(ack.epoch, 0xBEEF);
  EXPECT_EQ(ack.settled, 0xFFFE);
  EXPECT_EQ(ack.quality_mode, 9);
  EXPECT_THAT(ack.snr, ElementsAre(57, 255, 0));
  EXPECT_EQ(ack.cell_px, 29);
  EXPECT_EQ(ack.capture_period, 50);
  EXPECT_EQ(ack.frames, full_ack().frames);
  EXPECT_EQ(ack.floor, 1000U);
  EXPECT_EQ(ack.done, full_ack().done);
  EXPECT_TRUE(ack.first);
  EXPECT_FALSE(ack.last);
  EXPECT_EQ(ack.partials, full_ack().partials);
}

TEST(PacketFormat, BlockHoldsSeveralPacketsAndEndsWithZeros) {
  const ParsedBlock parsed = parse_block(vector_named("block"));
  EXPECT_EQ(parsed.n_rejected, 0);
  ASSERT_THAT(parsed.packets, SizeIs(3));
  EXPECT_TRUE(std::holds_alternative<StatusPacket>(parsed.packets[0]));
  EXPECT_TRUE(std::holds_alternative<AckPacket>(parsed.packets[1]));
  EXPECT_TRUE(std::holds_alternative<DataPacket>(parsed.packets[2]));
}

TEST(PacketFormat, ProbeAndFeedbackMatchGoldenVectors) {
  EXPECT_EQ(encode_packet(ProbePacket{}), vector_named("probe"));
  const Feedback feedback{0b1011, true, {3, 0, 2, 1, 0, 0, 0, 3}};
  ByteWriter writer;
  writer.put(pack_feedback(feedback));
  EXPECT_EQ(writer.take(), vector_named("feedback"));
  EXPECT_EQ(unpack_feedback(pack_feedback(feedback)), feedback);
}

TEST(PacketFormat, FeedbackSaysWhatItsLaptopIsThereFor) {
  const Feedback feedback{.world_size = 8, .activity = Activity::kMeasure};
  EXPECT_EQ(pack_feedback(feedback), 0x4e000000U);
  EXPECT_EQ(unpack_feedback(0x4e000000U), feedback);
}

TEST(PacketFormat, OtherVersionsSealedAndUnknownPacketsAreSkippedAndCounted) {
  Bytes block;
  for (const unsigned first : {0x82U, 0x62U, 0x5FU}) {  // Version 2; sealed; type 31.
    for (const unsigned byte : {4U, first, 0U, 1U, 0U}) {
      block.push_back(static_cast<std::byte>(byte));
    }
  }
  const Bytes good = vector_named("status_first");
  block.insert(block.end(), good.begin(), good.end());
  const ParsedBlock parsed = parse_block(block);
  EXPECT_EQ(parsed.n_rejected, 3);
  EXPECT_THAT(parsed.packets, SizeIs(1));
}

TEST(PacketFormat, PacketsThatTheBlockCutsShortAreRejected) {
  for (const char* name : {"data_hello", "data_long", "status_late", "ack_full"}) {
    const Bytes whole = vector_named(name);
    for (std::size_t size = 1; size < whole.size(); ++size) {
      const ParsedBlock parsed = parse_block(std::span(whole).first(size));
      EXPECT_THAT(parsed.packets, SizeIs(0)) << name << size;
      EXPECT_EQ(parsed.n_rejected, 1) << name << size;
    }
  }
}

TEST(PacketFormat, FieldsThatEndEarlyAreRejected) {
  for (const std::string name : {"status_late", "ack_silent"}) {
    const Bytes whole = vector_named(name);
    for (std::size_t size = 2; size < whole.size(); ++size) {
      Bytes packet(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      packet[0] = static_cast<std::byte>(size - 1);
      EXPECT_EQ(parse_block(packet).n_rejected, 1) << name << size;
    }
  }
}

TEST(PacketFormat, ParserSurvivesAnything) {
  Rng rng(9);
  const std::array seeds{vector_named("block"), vector_named("ack_full"),
                         vector_named("data_long")};
  int n_parsed = 0;
  for (int i = 0; i < 200'000; ++i) {
    Bytes block =
        i % 4 == 0 ? random_bytes(rng.below(120), rng.next()) : seeds[rng.below(seeds.size())];
    for (std::uint64_t k = rng.below(4); k > 0 && !block.empty(); --k) {
      block[rng.below(block.size())] = static_cast<std::byte>(rng.below(256));
    }
    n_parsed += static_cast<int>(parse_block(block).packets.size());
  }
  EXPECT_GT(n_parsed, 100'000);
}

TEST(PacketFormat, LongestBodyFillsTheRoomExactly) {
  for (std::size_t room = 0; room < 400; ++room) {
    for (const std::uint32_t offset : {0U, 127U, 128U, 100'000U, 200'000'000U}) {
      const std::size_t n_bytes = max_body_bytes(room, 300, offset);
      if (n_bytes == 0) {
        continue;
      }
      const Bytes body(n_bytes);
      const std::size_t size = encode_packet(DataPacket{1, 300, offset, body}).size();
      EXPECT_LE(size, room);
      EXPECT_GE(size + 1, room);  // A length of 128 needs a second byte: then one is left over.
    }
  }
}

}  // namespace
}  // namespace wccl::link
