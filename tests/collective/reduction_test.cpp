#include "collective/reduction.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gmock/gmock.h>

#include "collective/half.h"

namespace wccl::collective {
namespace {

using testing::ElementsAre;

template <class T>
std::vector<T> reduce(DataType type, ReduceOp op, const std::vector<std::vector<T>>& ranks) {
  std::vector<std::span<const std::byte>> parts;
  parts.reserve(ranks.size());
  for (const auto& rank : ranks) {
    parts.push_back(std::as_bytes(std::span(rank)));
  }
  std::vector<T> output(ranks.front().size());
  reduce_in_order(parts, type, op, std::as_writable_bytes(std::span(output)));
  return output;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr auto kMaxInt64 = std::numeric_limits<std::int64_t>::max();

TEST(Reduction, IntegerSumsWrap) {
  EXPECT_THAT(reduce<std::uint8_t>(DataType::kUint8, ReduceOp::kSum, {{200, 1}, {100, 2}}),
              ElementsAre(44, 3));
  EXPECT_THAT(reduce<std::int64_t>(DataType::kInt64, ReduceOp::kSum, {{kMaxInt64}, {1}}),
              ElementsAre(std::numeric_limits<std::int64_t>::min()));
}

TEST(Reduction, IntegerMeansAreExactAndTruncateTowardsZero) {
  EXPECT_THAT(reduce<std::int32_t>(DataType::kInt32, ReduceOp::kMean, {{7, -7, 1}, {0, 0, -1}}),
              ElementsAre(3, -3, 0));
  EXPECT_THAT(reduce<std::uint8_t>(DataType::kUint8, ReduceOp::kMean, {{255}, {255}, {254}}),
              ElementsAre(254));
  EXPECT_THAT(reduce<std::int64_t>(DataType::kInt64, ReduceOp::kMean,
                                   {{kMaxInt64}, {kMaxInt64}, {kMaxInt64 - 3}}),
              ElementsAre(kMaxInt64 - 1));
}

TEST(Reduction, MinAndMaxOfIntegers) {
  EXPECT_THAT(reduce<std::int32_t>(DataType::kInt32, ReduceOp::kMin, {{3, -4}, {-1, 5}, {2, 0}}),
              ElementsAre(-1, -4));
  EXPECT_THAT(reduce<std::uint8_t>(DataType::kUint8, ReduceOp::kMax, {{3, 250}, {129, 5}}),
              ElementsAre(129, 250));
}

TEST(Reduction, FloatsAddInRankOrder) {
  // (1e8 + 1) - 1e8 is 0 in binary32; any other order gives 1.
  EXPECT_THAT(reduce<float>(DataType::kFloat32, ReduceOp::kSum, {{1e8F}, {1.0F}, {-1e8F}}),
              ElementsAre(0.0F));
  EXPECT_THAT(reduce<float>(DataType::kFloat32, ReduceOp::kMean, {{1.0F}, {2.0F}, {4.0F}}),
              ElementsAre(7.0F / 3.0F));
}

TEST(Reduction, ANanOnAnyRankIsTheResultAndAlwaysTheSameNan) {
  const float other_nan = std::bit_cast<float>(0xFFC12345U);
  for (const ReduceOp op : {ReduceOp::kSum, ReduceOp::kMean, ReduceOp::kMin, ReduceOp::kMax}) {
    const auto result =
        reduce<float>(DataType::kFloat32, op, {{other_nan, 1.0F}, {2.0F, other_nan}});
    EXPECT_EQ(std::bit_cast<std::uint32_t>(result[0]), 0x7FC00000U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(result[1]), 0x7FC00000U);
  }
}

TEST(Reduction, OfEqualZerosTheFirstRanksStays) {
  const auto result =
      reduce<float>(DataType::kFloat32, ReduceOp::kMin, {{0.0F, -0.0F}, {-0.0F, 0.0F}});
  EXPECT_FALSE(std::signbit(result[0]));
  EXPECT_TRUE(std::signbit(result[1]));
}

TEST(Reduction, HalvesAreRoundedOnceNotAtEveryRank) {
  // In binary16, 2048 + 1 is 2048 (a tie to even), twice over; the exact sum is 2050.
  const std::uint16_t big = to_float16(2048.0F).bits;
  const std::uint16_t one = to_float16(1.0F).bits;
  EXPECT_THAT(reduce<std::uint16_t>(DataType::kFloat16, ReduceOp::kSum, {{big}, {one}, {one}}),
              ElementsAre(to_float16(2050.0F).bits));
  const std::uint16_t big_b = to_bfloat16(256.0F).bits;
  const std::uint16_t one_b = to_bfloat16(1.0F).bits;
  EXPECT_THAT(
      reduce<std::uint16_t>(DataType::kBfloat16, ReduceOp::kSum, {{big_b}, {one_b}, {one_b}}),
      ElementsAre(to_bfloat16(258.0F).bits));
}

TEST(Reduction, HalfSumsBeyondTheLargestBecomeInfinity) {
  const std::uint16_t largest = 0x7BFF;
  EXPECT_THAT(reduce<std::uint16_t>(DataType::kFloat16, ReduceOp::kSum, {{largest}, {largest}}),
              ElementsAre(0x7C00));
  EXPECT_THAT(reduce<std::uint16_t>(DataType::kFloat16, ReduceOp::kMean, {{largest}, {largest}}),
              ElementsAre(largest));
}

TEST(Reduction, TheOutputMayBeOneOfTheParts) {
  std::vector<std::int32_t> mine(3000, 2);
  const std::vector<std::int32_t> theirs(3000, 3);
  const auto own = std::as_writable_bytes(std::span(mine));
  const std::vector<std::span<const std::byte>> parts = {std::as_bytes(std::span(theirs)), own};
  reduce_in_order(parts, DataType::kInt32, ReduceOp::kSum, own);
  EXPECT_THAT(mine, testing::Each(5));
}

TEST(Half, EveryFiniteValueComesBack) {
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const float half = to_float(Float16{pattern});
    EXPECT_EQ(to_float16(half).bits, std::isnan(half) ? 0x7E00 : pattern);
    const float brain = to_float(Bfloat16{pattern});
    EXPECT_EQ(to_bfloat16(brain).bits, std::isnan(brain) ? 0x7FC0 : pattern);
  }
}

TEST(Half, ValuesFollowTheStandard) {
  EXPECT_EQ(to_float(Float16{0x3C00}), 1.0F);
  EXPECT_EQ(to_float(Float16{0xC000}), -2.0F);
  EXPECT_EQ(to_float(Float16{0x0001}), 0x1p-24F);
  EXPECT_EQ(to_float(Float16{0x03FF}), 0x3FFp-24F);
  EXPECT_EQ(to_float(Float16{0x0400}), 0x1p-14F);
  EXPECT_EQ(to_float(Float16{0x7BFF}), 65504.0F);
  EXPECT_EQ(to_float(Float16{0x7C00}), INFINITY);
  EXPECT_TRUE(std::isnan(to_float(Float16{0x7C01})));
}

TEST(Half, BetweenTwoNeighboursTheNearerWinsAndATieGoesToTheEven) {
  for (std::uint16_t bits = 0; bits < 0x7BFF; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const float middle = (to_float(Float16{bits}) + to_float(Float16{next})) / 2;  // exact
    EXPECT_EQ(to_float16(middle).bits, bits % 2 == 0 ? bits : next);
    EXPECT_EQ(to_float16(std::nextafter(middle, 0.0F)).bits, bits);
    EXPECT_EQ(to_float16(std::nextafter(middle, INFINITY)).bits, next);
    EXPECT_EQ(to_float16(-middle).bits, (bits % 2 == 0 ? bits : next) | 0x8000U);
  }
  EXPECT_EQ(to_float16(65519.0F).bits, 0x7BFF);
  EXPECT_EQ(to_float16(65520.0F).bits, 0x7C00);
  EXPECT_EQ(to_float16(kNan).bits, 0x7E00);
  EXPECT_EQ(to_bfloat16(std::bit_cast<float>(0x3F808000U)).bits, 0x3F80);
  EXPECT_EQ(to_bfloat16(std::bit_cast<float>(0x3F818000U)).bits, 0x3F82);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()).bits, 0x7F80);
}

}  // namespace
}  // namespace wccl::collective
