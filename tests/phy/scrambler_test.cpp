#include "phy/scrambler.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "awgn.h"
#include "base/bits.h"
#include "vectors.h"

namespace wccl::phy {
namespace {

constexpr std::size_t kPlaces = 20'000;

BitVector keystream(std::uint8_t node,
                    std::uint16_t sequence,
                    int channel,
                    std::size_t n_places = kPlaces) {
  BitVector bits(n_places);
  Scrambler(node, sequence, channel).apply(bits);
  return bits;
}

/// Standard deviations between the number of equal bits and that of independent fair ones.
double deviation(const BitVector& a, const BitVector& b) {
  double n_equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    n_equal += a[i] == b[i];
  }
  return std::abs(n_equal - 0.5 * kPlaces) / std::sqrt(0.25 * kPlaces);
}

TEST(Scrambler, MatchesTheGoldenVectors) {
  const auto vectors = test::load_vectors("phy_code.txt");
  EXPECT_EQ(keystream(0, 0, 0, 256), test::bits_of_hex(vectors.at("keystream.0.0.0"), 256));
  EXPECT_EQ(keystream(3, 0xabcd, 2, 256),
            test::bits_of_hex(vectors.at("keystream.3.43981.2"), 256));
}

TEST(Scrambler, AppliedTwiceItIsUndone) {
  Rng rng(1);
  const BitVector bits = test::random_bits(1001, rng);
  const Scrambler scrambler(2, 77, 1);
  BitVector scrambled = bits;
  scrambler.apply(scrambled);
  EXPECT_NE(scrambled, bits);
  scrambler.apply(scrambled);
  EXPECT_EQ(scrambled, bits);
}

TEST(Scrambler, LlrsFollowTheBits) {
  Rng rng(2);
  BitVector bits = test::random_bits(1001, rng);
  const auto expected = test::sure_llrs(bits);
  const Scrambler scrambler(5, 9, 0);
  scrambler.apply(bits);
  auto llrs = test::sure_llrs(bits);
  scrambler.apply(llrs);
  EXPECT_EQ(llrs, expected);
}

TEST(Scrambler, PlacesCanBeAskedInAnyOrder) {
  const BitVector bits = keystream(1, 2, 2);
  const Scrambler scrambler(1, 2, 2);
  for (std::size_t place = kPlaces; place-- > 0;) {
    ASSERT_EQ(scrambler.bit(place), bits[place]);
  }
}

TEST(Scrambler, HalfOfConstantDataIsBright) {
  const BitVector dark(kPlaces);
  for (const int sequence : {0, 1, 2, 0x8000, 0xffff}) {
    EXPECT_LT(deviation(keystream(0, static_cast<std::uint16_t>(sequence), 0), dark), 4);
  }
}

TEST(Scrambler, ScreensFramesAndChannelsLookUnrelated) {
  const BitVector reference = keystream(1, 10, 0);
  EXPECT_LT(deviation(reference, keystream(2, 10, 0)), 4);
  EXPECT_LT(deviation(reference, keystream(1, 11, 0)), 4);
  EXPECT_LT(deviation(reference, keystream(1, 10, 1)), 4);
}

TEST(Scrambler, NeighboursAreUnrelated) {
  const BitVector bits = keystream(4, 4, 1, kPlaces + 512);
  for (const std::ptrdiff_t distance : {1, 2, 64, 320, 512}) {
    const BitVector here(bits.begin(), bits.begin() + kPlaces);
    const BitVector there(bits.begin() + distance, bits.begin() + distance + kPlaces);
    EXPECT_LT(deviation(here, there), 4) << distance;
  }
}

}  // namespace
}  // namespace wccl::phy
