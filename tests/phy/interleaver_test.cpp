#include "phy/interleaver.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "vectors.h"

namespace wccl::phy {
namespace {

struct Size {
  std::size_t n_blocks;
  std::size_t n_coded;
};

constexpr std::size_t kCoded = 2816;

TEST(Interleaver, MatchesTheGoldenVectors) {
  const auto vectors = test::load_vectors("phy_code.txt");
  for (const auto [n_blocks, n_coded] : {Size{1, 6901}, Size{2, 2816}, Size{7, 1584}}) {
    const Interleaver interleaver(n_blocks, n_coded);
    const auto sample = test::bytes_of_hex(vectors.at("interleaver." + std::to_string(n_blocks)));
    std::size_t place = 0;
    for (std::size_t i = 0; i + 2 < sample.size(); i += 3, place += 61 * n_blocks + 1) {
      const auto coded = interleaver.coded_bit_at(place);
      EXPECT_EQ(coded.block, std::to_integer<std::size_t>(sample[i]));
      EXPECT_EQ(coded.bit, std::to_integer<std::size_t>(sample[i + 1]) * 256 +
                               std::to_integer<std::size_t>(sample[i + 2]));
    }
    EXPECT_GT(place, interleaver.n_places() - 62 * n_blocks);
  }
}

TEST(Interleaver, EveryBitHasOnePlaceAndIsFoundThere) {
  for (const auto [n_blocks, n_coded] :
       {Size{1, 5631}, Size{2, 4224}, Size{3, 2310}, Size{10, 1877}, Size{131, 1584}}) {
    const Interleaver interleaver(n_blocks, n_coded);
    ASSERT_EQ(interleaver.n_places(), n_blocks * n_coded);
    std::vector<bool> taken(interleaver.n_places());
    for (std::size_t block = 0; block < n_blocks; ++block) {
      for (std::size_t bit = 0; bit < n_coded; ++bit) {
        const std::size_t place = interleaver.place_of({block, bit});
        ASSERT_LT(place, taken.size());
        EXPECT_FALSE(taken[place]);
        taken[place] = true;
        const auto back = interleaver.coded_bit_at(place);
        ASSERT_EQ(back.block, block);
        ASSERT_EQ(back.bit, bit);
      }
    }
  }
}

TEST(Interleaver, ALostBandCostsAllBlocksTheSame) {
  constexpr std::size_t kBlocks = 37;
  const Interleaver interleaver(kBlocks, kCoded);
  const std::size_t begin = 10'007;
  const std::size_t end = begin + interleaver.n_places() / 5;
  std::vector<int> lost(kBlocks);
  for (std::size_t place = begin; place < end; ++place) {
    ++lost[interleaver.coded_bit_at(place).block];
  }
  const auto [fewest, most] = std::minmax_element(lost.begin(), lost.end());
  EXPECT_LE(*most - *fewest, 2);
}

// A spot covers about 6% of a frame whose rows are a multiple of the blocks: the worst case for an
// interleaver without rotation. A block loses 120 bits of 2816 at the mean, and were its places
// independent, with a standard deviation of at most sqrt(120): five of them for the worst of 40
// blocks.
TEST(Interleaver, AGlareSpotCostsNoBlockMuchMoreThanItsShare) {
  constexpr std::size_t kBlocks = 40;
  constexpr std::size_t kRow = 320;
  const Interleaver interleaver(kBlocks, kCoded);
  std::vector<double> lost(kBlocks);
  double n_lost = 0;
  for (std::size_t place = 0; place < interleaver.n_places(); ++place) {
    const double x = static_cast<double>(place % kRow) - 100.0;
    const double y = static_cast<double>(place / kRow) - 130.0;
    if (std::hypot(x, y) > 39.0) {
      continue;
    }
    ++lost[interleaver.coded_bit_at(place).block];
    ++n_lost;
  }
  const double mean = n_lost / kBlocks;
  ASSERT_GT(mean, 100);
  for (const double n_bits : lost) {
    EXPECT_NEAR(n_bits, mean, 5 * std::sqrt(mean));
  }
}

TEST(Interleaver, NeighboursInTheCodeAreFarApart) {
  constexpr std::size_t kBlocks = 40;
  const Interleaver interleaver(kBlocks, kCoded);
  for (std::size_t bit = 0; bit + 1 < kCoded; ++bit) {
    const auto here = static_cast<double>(interleaver.place_of({5, bit}));
    const auto next = static_cast<double>(interleaver.place_of({5, bit + 1}));
    EXPECT_GT(std::abs(here - next), 0.05 * static_cast<double>(interleaver.n_places()));
  }
}

}  // namespace
}  // namespace wccl::phy
