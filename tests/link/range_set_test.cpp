#include "link/range_set.h"

#include <bitset>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace wccl::link {
namespace {

using ::testing::ElementsAre;

TEST(RangeSet, JoinsRangesThatTouchOrOverlap) {
  RangeSet set;
  set.add({10, 20});
  set.add({30, 40});
  set.add({20, 25});
  EXPECT_THAT(set.ranges(), ElementsAre(Range{10, 25}, Range{30, 40}));
  set.add({24, 31});
  EXPECT_THAT(set.ranges(), ElementsAre(Range{10, 40}));
}

TEST(RangeSet, RemovingFromTheMiddleLeavesTwoRanges) {
  RangeSet set;
  set.add({0, 100});
  set.remove({40, 60});
  EXPECT_THAT(set.ranges(), ElementsAre(Range{0, 40}, Range{60, 100}));
  EXPECT_EQ(set.prefix(), 40U);
  EXPECT_FALSE(set.covers({39, 41}));
}

TEST(RangeSet, AgreesWithABitmap) {
  constexpr std::uint32_t kSize = 200;
  Rng rng(3);
  RangeSet set;
  std::bitset<kSize> bits;
  for (int i = 0; i < 20'000; ++i) {
    const auto begin = static_cast<std::uint32_t>(rng.below(kSize));
    const auto end = begin + static_cast<std::uint32_t>(rng.below(kSize - begin + 1));
    const Range range{begin, end};
    const std::uint64_t choice = rng.below(3);
    if (choice == 0) {
      set.add(range);
    }
    if (choice == 1) {
      set.remove(range);
    }
    bool all = true;
    std::uint64_t n_missing = 0;
    for (std::uint32_t k = begin; k < end; ++k) {
      if (choice == 0) {
        bits.set(k);
      }
      if (choice == 1) {
        bits.reset(k);
      }
      all = all && bits.test(k);
      n_missing += bits.test(k) ? 0U : 1U;
    }
    ASSERT_EQ(set.size(), bits.count());
    ASSERT_EQ(set.covers(range), all);
    ASSERT_EQ(set.missing(range).size(), n_missing);
  }
}

}  // namespace
}  // namespace wccl::link
