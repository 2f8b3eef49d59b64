#include "phy/crc.h"

#include <gtest/gtest.h>

#include "awgn.h"
#include "base/bits.h"

namespace wccl::phy {
namespace {

std::vector<std::byte> ascii(std::string_view text) {
  std::vector<std::byte> bytes;
  for (const char letter : text) {
    bytes.push_back(static_cast<std::byte>(letter));
  }
  return bytes;
}

TEST(Crc16, MatchesTheCatalogueCheckValue) {
  EXPECT_EQ(crc16(unpack_bits(ascii("123456789"))), 0x29b1);
  EXPECT_EQ(crc16({}), 0xffff);
}

TEST(Crc32, MatchesTheCatalogueCheckValue) {
  EXPECT_EQ(crc32(ascii("123456789")), 0xcbf43926U);
  EXPECT_EQ(crc32({}), 0U);
}

// The polynomial has a factor x + 1 and period 32767: it sees one, two and all odd numbers of
// flips.
TEST(Crc16, SeesOneTwoAndThreeFlippedBits) {
  Rng rng(1);
  const auto bits = test::random_bits(124, rng);
  for (int trial = 0; trial < 3000; ++trial) {
    auto flipped = bits;
    for (int flip = 0; flip < 1 + trial % 3; ++flip) {
      flipped[rng.below(flipped.size())] ^= 1U;
    }
    EXPECT_TRUE(flipped == bits || crc16(flipped) != crc16(bits));
  }
}

TEST(Crc32, SeesEveryBurstOf32Bits) {
  Rng rng(2);
  const auto bytes = test::random_bytes(198, rng);
  for (std::size_t first = 0; first + 4 <= bytes.size(); ++first) {
    auto burst = bytes;
    for (std::size_t i = 0; i < 4; ++i) {
      burst[first + i] ^= static_cast<std::byte>(1 + rng.below(255));
    }
    EXPECT_NE(crc32(burst), crc32(bytes));
  }
}

TEST(Crc32, AnotherInitialValueNeverGivesTheSameCrc) {
  Rng rng(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const auto bytes = test::random_bytes(117, rng);
    EXPECT_NE(crc32(bytes), crc32(bytes, 0));
  }
}

}  // namespace
}  // namespace wccl::phy
