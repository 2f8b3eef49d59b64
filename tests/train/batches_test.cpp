#include "train/batches.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

namespace wccl::train {
namespace {

using ::testing::ElementsAreArray;

TEST(ShardTest, ShardsCoverEveryPictureOnce) {
  for (const int world_size : {1, 2, 3, 7}) {
    std::set<int> seen;
    for (int rank = 0; rank < world_size; ++rank) {
      const auto own = shard(1000, rank, world_size, 5);
      EXPECT_NEAR(static_cast<double>(own.size()), 1000.0 / world_size, 1.0);
      for (const int picture : own) {
        EXPECT_TRUE(seen.insert(picture).second) << picture;
      }
    }
    EXPECT_EQ(seen.size(), 1000U);
    EXPECT_EQ(*seen.rbegin(), 999);
  }
}

TEST(ShardTest, SeedDecidesTheShard) {
  EXPECT_EQ(shard(1000, 1, 3, 5), shard(1000, 1, 3, 5));
  EXPECT_NE(shard(1000, 1, 3, 5), shard(1000, 1, 3, 6));
}

TEST(ShardTest, EveryRankHasAPictureWhenThereAreJustEnough) {
  for (int rank = 0; rank < 7; ++rank) {
    EXPECT_EQ(shard(7, rank, 7, 1).size(), 1U);
  }
}

TEST(BatchesTest, EachPictureComesOnceAnEpochAndThenInAnotherOrder) {
  Batches batches({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Rng(1));
  const auto epoch = [&] {
    std::vector<int> seen;
    for (int i = 0; i < 2; ++i) {
      const auto batch = batches.next(5);
      seen.insert(seen.end(), batch.begin(), batch.end());
    }
    return seen;
  };
  auto first = epoch();
  auto second = epoch();
  EXPECT_NE(first, second);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  EXPECT_THAT(first, ElementsAreArray({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(first, second);
}

TEST(BatchesTest, BatchMayExceedTheShard) {
  Batches batches({3, 5}, Rng(1));
  EXPECT_EQ(batches.next(7).size(), 7U);
}

}  // namespace
}  // namespace wccl::train
