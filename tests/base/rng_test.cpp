#include "base/rng.h"

#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include <gmock/gmock.h>

namespace wccl {
namespace {

using testing::ElementsAre;

/// n standard deviations that a fixed seed must not exceed: a right generator does so with p <
/// 2e-9.
constexpr double kSigmas = 6;

std::vector<std::uint64_t> draw(Rng rng, int n) {
  std::vector<std::uint64_t> values;
  for (int i = 0; i < n; ++i) {
    values.push_back(rng.next());
  }
  return values;
}

// The golden values come from tools/rng_vectors.py.
TEST(Rng, FollowsThePublishedGenerators) {
  EXPECT_THAT(draw(Rng(0), 4), ElementsAre(0x99EC5F36CB75F2B4U, 0xBF6E1F784956452AU,
                                           0x1A5F849D4933E6E0U, 0x6AA594F1262D2D2CU));
  EXPECT_THAT(draw(Rng(1), 4), ElementsAre(0xB3F2AF6D0FC710C5U, 0x853B559647364CEAU,
                                           0x92F89756082A4514U, 0x642E1C7BC266A3A7U));
  EXPECT_THAT(draw(Rng(0xFFFFFFFFFFFFFFFFU), 4),
              ElementsAre(0x8F5520D52A7EAD08U, 0xC476A018CAA1802DU, 0x81DE31C0D260469EU,
                          0xBF658D7E065F3C2FU));
}

TEST(Rng, SplitsAsItAlwaysDid) {
  EXPECT_THAT(draw(Rng(7).split(3), 2), ElementsAre(0x39322645CCD7D8C0U, 0xC915257B1A1E1D65U));
}

TEST(Rng, BelowStaysBelowItsBound) {
  Rng rng(11);
  for (const std::uint64_t bound :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, ~std::uint64_t{0}}) {
    for (int i = 0; i < 1000; ++i) {
      EXPECT_LT(rng.below(bound), bound);
    }
  }
}

// Chi-square over k equal bins has mean k-1 and variance 2(k-1).
TEST(Rng, BelowIsUniform) {
  constexpr int kBins = 10;
  constexpr int kDraws = 100000;
  Rng rng(12);
  std::array<int, kBins> counts{};
  for (int i = 0; i < kDraws; ++i) {
    ++counts[rng.below(kBins)];
  }
  constexpr double kExpected = static_cast<double>(kDraws) / kBins;
  double chi_square = 0;
  for (const int count : counts) {
    chi_square += std::pow(count - kExpected, 2) / kExpected;
  }
  EXPECT_LT(chi_square, (kBins - 1) + kSigmas * std::sqrt(2.0 * (kBins - 1)));
}

// With a bound of 3/4 of the range, a plain modulo would hit the lowest third half of the time.
TEST(Rng, BelowHasNoModuloBias) {
  constexpr std::uint64_t kThird = std::uint64_t{1} << 62U;
  constexpr int kDraws = 10000;
  Rng rng(13);
  int low = 0;
  for (int i = 0; i < kDraws; ++i) {
    low += rng.below(3 * kThird) < kThird ? 1 : 0;
  }
  const double sigma = std::sqrt(kDraws * (1.0 / 3) * (2.0 / 3));  // binomial
  EXPECT_NEAR(low, kDraws / 3.0, kSigmas * sigma);
}

TEST(Rng, UniformFillsTheUnitInterval) {
  constexpr int kDraws = 100000;
  Rng rng(14);
  double sum = 0;
  double smallest = 1;
  double largest = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = rng.uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
  EXPECT_NEAR(sum / kDraws, 0.5, kSigmas * std::sqrt(1.0 / 12 / kDraws));
  EXPECT_LT(smallest, 20.0 / kDraws);  // missed with probability exp(-20)
  EXPECT_GT(largest, 1 - 20.0 / kDraws);
}

// The mean of n values has variance 1/n, the mean of their squares 2/n; 4.55% lie beyond 2.
TEST(Rng, NormalHasTheMomentsAndTailsOfANormal) {
  constexpr int kDraws = 100000;
  Rng rng(15);
  double sum = 0;
  double squares = 0;
  int beyond_two = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = rng.normal();
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += value * value;
    beyond_two += std::abs(value) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 0, kSigmas * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1, kSigmas * std::sqrt(2.0 / kDraws));
  const double tail = std::erfc(std::sqrt(2.0));
  EXPECT_NEAR(beyond_two, kDraws * tail, kSigmas * std::sqrt(kDraws * tail * (1 - tail)));
}

TEST(Rng, SplitDoesNotDependOnWhatWasDrawn) {
  Rng used(21);
  for (int i = 0; i < 5; ++i) {
    (void)used.next();
  }
  EXPECT_EQ(draw(used.split(9), 8), draw(Rng(21).split(9), 8));
}

TEST(Rng, SplitLeavesItsParentAlone) {
  Rng parent(22);
  (void)parent.split(1);
  EXPECT_EQ(parent.next(), Rng(22).next());
}

TEST(Rng, EverySplitOfEverySeedIsItsOwnStream) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    firsts.insert(Rng(seed).next());
    for (std::uint64_t id = 0; id < 32; ++id) {
      firsts.insert(Rng(seed).split(id).next());
    }
  }
  EXPECT_EQ(firsts.size(), 32U * 33U);
}

TEST(Rng, NestedSplitsDependOnTheirOrder) {
  EXPECT_NE(Rng(23).split(1).split(2).next(), Rng(23).split(2).split(1).next());
}

/// Bits in which two streams differ: of 64 n independent ones half, with a deviation of sqrt(16 n).
void expect_independent(Rng one, Rng other) {
  constexpr int kWords = 4096;
  int differing = 0;
  for (int i = 0; i < kWords; ++i) {
    differing += std::popcount(one.next() ^ other.next());
  }
  EXPECT_NEAR(differing, 32 * kWords, kSigmas * std::sqrt(16.0 * kWords));
}

TEST(Rng, NeighbouringSplitsAndSeedsAreIndependent) {
  expect_independent(Rng(24).split(0), Rng(24).split(1));
  expect_independent(Rng(24), Rng(24).split(0));
  expect_independent(Rng(24).split(5), Rng(25).split(5));
  expect_independent(Rng(24), Rng(25));
}

}  // namespace
}  // namespace wccl
