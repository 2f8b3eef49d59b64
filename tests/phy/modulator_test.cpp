#include "phy/modulator.h"

#include <array>

#include <gtest/gtest.h>

#include "phy/demodulator.h"

namespace wccl::phy {
namespace {

TEST(Modulator, BrightMeansZeroAndNeighboursDifferInOneBit) {
  EXPECT_EQ(level_of(std::array<std::uint8_t, 1>{0}), 1);
  EXPECT_EQ(level_of(std::array<std::uint8_t, 1>{1}), 0);
  EXPECT_EQ(level_of(std::array<std::uint8_t, 2>{0, 0}), 3);
  EXPECT_EQ(level_of(std::array<std::uint8_t, 2>{0, 1}), 2);
  EXPECT_EQ(level_of(std::array<std::uint8_t, 2>{1, 1}), 1);
  EXPECT_EQ(level_of(std::array<std::uint8_t, 2>{1, 0}), 0);
}

TEST(Modulator, LevelBitsInvertLevels) {
  for (int bits_per_level = 1; bits_per_level <= 3; ++bits_per_level) {
    for (int level = 0; level < 1 << bits_per_level; ++level) {
      std::vector<std::uint8_t> bits;
      for (int bit = 0; bit < bits_per_level; ++bit) {
        bits.push_back(static_cast<std::uint8_t>(level_bit(level, bit, bits_per_level)));
      }
      EXPECT_EQ(level_of(bits), level);
    }
  }
}

TEST(Modulator, LevelsSpanBlackToWhiteInEqualSteps) {
  EXPECT_EQ(level_value(0, 2), 0);
  EXPECT_EQ(level_value(1, 2), 255);
  EXPECT_EQ(level_value(1, 4), 85);
  EXPECT_EQ(level_value(2, 4), 170);
}

TEST(Demodulator, TwoLevelsGiveTheLogLikelihoodRatioOfTheGaussianChannel) {
  const ChannelState state{0.8F, 0.5F};
  std::array<Llr, 1> llr{};
  demodulate(0.6F, state, 1.0F, 0, llr);
  // ln p(x | +1) / p(x | -1) = 2 gain x / variance.
  EXPECT_EQ(llr[0], to_llr(2 * 0.8F * 0.6F / 0.5F));
  demodulate(-0.6F, state, 1.0F, 0, llr);
  EXPECT_LT(llr[0], 0);
}

TEST(Demodulator, ACellSharedByTwoFramesTellsLess) {
  const ChannelState state{0.9F, 0.05F};
  std::array<Llr, 1> whole{};
  std::array<Llr, 1> part{};
  demodulate(0.3F, state, 1.0F, 0, whole);
  demodulate(0.3F, state, 0.7F, 0, part);
  EXPECT_GT(part[0], 0);
  EXPECT_LT(part[0], whole[0]);
}

TEST(Demodulator, EachLevelGivesItsOwnBits) {
  const ChannelState state{1.0F, 0.01F};
  for (int level = 0; level < 4; ++level) {
    std::array<Llr, 2> llrs{};
    demodulate(2.0F * static_cast<float>(level) / 3 - 1, state, 1.0F, 0, llrs);
    for (int bit = 0; bit < 2; ++bit) {
      EXPECT_EQ(llrs[static_cast<std::size_t>(bit)] < 0, level_bit(level, bit, 2) == 1)
          << level << ' ' << bit;
    }
  }
}

TEST(Demodulator, TakesAKnownFrameOutOfAMixture) {
  const ChannelState state{0.9F, 0.1F};
  // 60% of a bright cell, 40% of a dark one.
  const float mixture = 0.9F * (0.6F - 0.4F);
  const Llr unknown = demodulate_bit(mixture, state, 0.6F, 0);
  const Llr known = demodulate_bit(mixture, state, 0.6F, -1);
  EXPECT_GT(known, 5 * unknown);
  EXPECT_EQ(known, to_llr(2 * 0.54F * 0.54F / 0.1F));
}

}  // namespace
}  // namespace wccl::phy
