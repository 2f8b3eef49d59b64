#include "base/bytes.h"

#include <array>
#include <vector>

#include <gmock/gmock.h>

namespace wccl {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::Optional;

constexpr std::byte operator""_b(unsigned long long value) {
  return static_cast<std::byte>(value);
}

TEST(Bytes, IntegersAreWrittenLowestByteFirst) {
  ByteWriter writer;
  writer.put(std::uint8_t{0x01});
  writer.put(std::uint16_t{0x0302});
  writer.put(std::uint32_t{0x07060504});
  writer.put(std::uint64_t{0x0F0E0D0C0B0A0908});
  EXPECT_EQ(writer.size(), 15U);
  std::vector<std::byte> counting;
  for (unsigned i = 1; i <= 15; ++i) {
    counting.push_back(static_cast<std::byte>(i));
  }
  EXPECT_EQ(writer.take(), counting);
}

TEST(Bytes, ReaderReturnsWhatWasWritten) {
  constexpr std::array kTail{0xAA_b, 0xBB_b};
  ByteWriter writer;
  writer.put(std::uint64_t{0xFEDCBA9876543210});
  writer.put(std::uint8_t{0xFF});
  writer.put_bytes(kTail);
  const auto bytes = writer.take();

  ByteReader reader(bytes);
  EXPECT_THAT(reader.get<std::uint64_t>(), Optional(0xFEDCBA9876543210U));
  EXPECT_THAT(reader.get<std::uint8_t>(), Optional(std::uint8_t{0xFF}));
  const auto tail = reader.get_bytes(2);
  ASSERT_TRUE(tail.has_value());
  EXPECT_THAT(*tail, ElementsAre(0xAA_b, 0xBB_b));
  EXPECT_TRUE(reader.rest().empty());
}

TEST(Bytes, ReadingPastTheEndGivesNothingAndConsumesNothing) {
  constexpr std::array kThree{1_b, 2_b, 3_b};
  ByteReader reader(kThree);
  EXPECT_EQ(reader.get<std::uint32_t>(), std::nullopt);
  EXPECT_EQ(reader.get_bytes(4), std::nullopt);
  EXPECT_EQ(reader.rest().size(), 3U);
  EXPECT_THAT(reader.get<std::uint16_t>(), Optional(std::uint16_t{0x0201}));
}

TEST(Bytes, ALengthNearTheTopOfItsTypeIsRefused) {
  constexpr std::array kOne{1_b};
  ByteReader reader(kOne);
  EXPECT_EQ(reader.get_bytes(~std::size_t{0}), std::nullopt);
}

TEST(Bytes, AnEmptyBufferGivesNothingButNoBytes) {
  ByteReader reader({});
  EXPECT_EQ(reader.get<std::uint8_t>(), std::nullopt);
  EXPECT_TRUE(reader.get_bytes(0).has_value());
}

}  // namespace
}  // namespace wccl
