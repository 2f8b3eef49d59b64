#include "wccl/communicator.h"

#include <array>
#include <cstring>
#include <numeric>

#include <gmock/gmock.h>

#include "base/rng.h"
#include "ranks.h"

namespace wccl {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// Worlds with and without messages that overtake one another.
class Collectives : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  [[nodiscard]] int world_size() const { return std::get<0>(GetParam()); }
  void run(const std::function<void(Communicator&)>& program) const {
    LoopbackWorld world(world_size(), {.max_delay = Duration(std::get<1>(GetParam()))});
    run_ranks(world, program);
  }
};

INSTANTIATE_TEST_SUITE_P(Worlds,
                         Collectives,
                         testing::Combine(testing::Values(1, 2, 3, 8), testing::Values(0, 2000)));

TEST_P(Collectives, BroadcastGivesAllTheBytesOfTheRoot) {
  run([&](Communicator& communicator) {
    for (Rank root = 0; root < world_size(); ++root) {
      std::vector<std::int32_t> values(1000, communicator.rank());
      ASSERT_TRUE(communicator.broadcast(std::span(values), root));
      EXPECT_THAT(values, Each(root));
    }
  });
}

TEST_P(Collectives, AllGatherFillsTheOutputInRankOrder) {
  run([&](Communicator& communicator) {
    const std::array<std::int64_t, 2> input = {communicator.rank(), -communicator.rank()};
    std::vector<std::int64_t> output(2 * static_cast<std::size_t>(world_size()), 99);
    ASSERT_TRUE(communicator.all_gather(std::span<const std::int64_t>(input), std::span(output)));
    for (std::size_t i = 0; i < output.size(); ++i) {
      const auto rank = static_cast<std::int64_t>(i / 2);
      EXPECT_EQ(output[i], i % 2 == 0 ? rank : -rank);
    }
  });
}

TEST_P(Collectives, AllGatherMayWorkInPlace) {
  run([&](Communicator& communicator) {
    const auto own = static_cast<std::size_t>(communicator.rank());
    std::vector<std::uint8_t> values(static_cast<std::size_t>(world_size()), 0);
    values[own] = static_cast<std::uint8_t>(own + 1);
    const auto bytes = bytes_of(values);
    ASSERT_TRUE(communicator.all_gather(bytes.subspan(own, 1), bytes));
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(values[i], i + 1);
    }
  });
}

TEST_P(Collectives, GatherReachesTheRootOnly) {
  run([&](Communicator& communicator) {
    const Rank root = world_size() - 1;
    std::vector<std::int32_t> input = {communicator.rank() + 10};
    std::vector<std::int32_t> output;
    if (communicator.rank() == root) {
      output.resize(static_cast<std::size_t>(world_size()));
    }
    ASSERT_TRUE(communicator.gather(bytes_of(input), bytes_of(output), root));
    for (std::size_t i = 0; i < output.size(); ++i) {
      EXPECT_EQ(output[i], static_cast<int>(i) + 10);
    }
  });
}

TEST_P(Collectives, ReduceLeavesTheBuffersOfTheOthersAlone) {
  run([&](Communicator& communicator) {
    std::vector<std::int32_t> values = {communicator.rank() + 1};
    ASSERT_TRUE(communicator.reduce(bytes_of(values), DataType::kInt32, ReduceOp::kSum, 0));
    const int sum = world_size() * (world_size() + 1) / 2;
    EXPECT_EQ(values[0], communicator.rank() == 0 ? sum : communicator.rank() + 1);
  });
}

TEST_P(Collectives, AllReduceIsBitwiseTheSumInRankOrder) {
  constexpr std::size_t kElements = 5000;  // several chunks and a rest
  const auto values_of = [](Rank rank) {
    Rng rng = Rng(7).split(static_cast<std::uint64_t>(rank));
    std::vector<float> values(kElements);
    for (float& value : values) {
      value = static_cast<float>(rng.normal() * 1e3);
    }
    return values;
  };
  std::vector<float> expected = values_of(0);
  for (Rank rank = 1; rank < world_size(); ++rank) {
    const auto values = values_of(rank);
    for (std::size_t i = 0; i < kElements; ++i) {
      expected[i] += values[i];
    }
  }
  run([&](Communicator& communicator) {
    auto values = values_of(communicator.rank());
    ASSERT_TRUE(communicator.all_reduce(std::span(values), ReduceOp::kSum));
    EXPECT_EQ(std::memcmp(values.data(), expected.data(), kElements * sizeof(float)), 0);
  });
}

TEST_P(Collectives, ManyOperationsMayBeUnderWayAndEndInAnyOrder) {
  run([&](Communicator& communicator) {
    std::vector<std::vector<float>> buffers;
    std::vector<std::unique_ptr<Work>> works;
    buffers.reserve(10);  // spans must stay valid
    for (int i = 0; i < 10; ++i) {
      buffers.emplace_back(100, static_cast<float>(i));
      works.push_back(communicator.all_reduce_async(bytes_of(buffers.back()), DataType::kFloat32,
                                                    ReduceOp::kMean));
    }
    for (std::size_t i = works.size(); i-- > 0;) {
      ASSERT_TRUE(works[i]->wait());
      EXPECT_THAT(buffers[i], Each(static_cast<float>(i)));
    }
  });
}

TEST_P(Collectives, TestEndsAnOperationWithoutBlocking) {
  run([](Communicator& communicator) {
    const auto work = communicator.barrier_async();
    while (!work->test()) {
      std::this_thread::yield();
    }
    EXPECT_TRUE(work->test());
    EXPECT_TRUE(work->wait());
  });
}

TEST_P(Collectives, PointToPointMessagesKeepTheirOrderBesideCollectives) {
  run([&](Communicator& communicator) {
    if (world_size() == 1) {
      return;
    }
    const Rank last = world_size() - 1;
    for (std::int32_t i = 0; i < 20; ++i) {
      std::vector<std::int32_t> value = {communicator.rank() == 0 ? i : -1};
      if (communicator.rank() == 0) {
        ASSERT_TRUE(communicator.send(bytes_of(value), last));
      }
      ASSERT_TRUE(communicator.barrier());
      if (communicator.rank() == last) {
        ASSERT_TRUE(communicator.receive(bytes_of(value), 0));
        EXPECT_EQ(value[0], i);
      }
    }
    ASSERT_TRUE(communicator.flush());
  });
}

TEST_P(Collectives, EmptyBuffersAreFine) {
  run([](Communicator& communicator) {
    EXPECT_TRUE(communicator.broadcast({}, 0));
    EXPECT_TRUE(communicator.all_gather({}, {}));
    EXPECT_TRUE(communicator.all_reduce({}, DataType::kFloat32, ReduceOp::kMax));
  });
}

TEST(Communicator, ArgumentsThatCannotWorkFailAtOnce) {
  LoopbackWorld world(2);
  Communicator communicator(world.transport(0));
  std::vector<std::byte> buffer(7);
  const auto code = [](const Status& status) { return status.error().code; };
  EXPECT_EQ(code(communicator.broadcast(buffer, 2)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(communicator.broadcast(buffer, -1)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(communicator.all_gather(buffer, buffer)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(communicator.gather(buffer, buffer, 0)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(communicator.all_reduce(buffer, DataType::kFloat16, ReduceOp::kSum)),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(communicator.all_reduce(buffer, static_cast<DataType>(9), ReduceOp::kSum)),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(communicator.reduce(buffer, DataType::kUint8, ReduceOp::kSum, 5)),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(communicator.send(buffer, 0)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(communicator.receive(buffer, 2)), ErrorCode::kInvalidArgument);
}

TEST(Communicator, SizesThatDisagreeNameTheRankAndChangeNothing) {
  run_ranks(2, [](Communicator& communicator) {
    std::vector<float> values(communicator.rank() == 0 ? 3 : 4, 1.0F);
    const Status status = communicator.all_reduce(std::span(values), ReduceOp::kSum);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(status.error().message,
                communicator.rank() == 0
                    ? AllOf(HasSubstr("rank 1 sent 16 bytes"), HasSubstr("has 12"))
                    : AllOf(HasSubstr("rank 0 sent 12 bytes"), HasSubstr("has 16")));
    EXPECT_THAT(values, Each(1.0F));
  });
}

TEST(Communicator, DifferentOperationsAreAnErrorThatNamesBoth) {
  run_ranks(2, [](Communicator& communicator) {
    std::vector<float> values(4);
    const Status status = communicator.rank() == 0
                              ? communicator.all_reduce(std::span(values), ReduceOp::kSum)
                              : communicator.all_reduce(std::span(values), ReduceOp::kMax);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(status.error().message, HasSubstr("all_reduce(float32, sum)"));
    EXPECT_THAT(status.error().message, HasSubstr("all_reduce(float32, max)"));
  });
}

TEST(Communicator, TwoRootsAreNoticedAtTheNextCollective) {
  // Both are senders, so that neither hears of the other before.
  run_ranks(2, [](Communicator& communicator) {
    std::vector<float> values(4);
    EXPECT_TRUE(communicator.broadcast(std::span(values), communicator.rank()));
    const Status status = communicator.barrier();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(status.error().message, HasSubstr("other operations"));
  });
}

TEST(Communicator, ForeignBytesAreCorrupt) {
  LoopbackWorld world(2);
  Communicator communicator(world.transport(0));
  const std::array<Rank, 1> to = {0};
  ASSERT_TRUE(world.transport(1).send(to, 0, std::vector<std::byte>(5)));
  const Status status = communicator.barrier();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
}

TEST(Communicator, ASilentPeerEndsTheOperationByTheDeadline) {
  LoopbackWorld world(3, {.timeout = std::chrono::milliseconds(20)});
  run_ranks(world, [](Communicator& communicator) {
    if (communicator.rank() == 2) {
      return;
    }
    const auto work = communicator.barrier_async();
    const Status status = work->wait();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kTimeout);
    EXPECT_THAT(status.error().message, AllOf(HasSubstr("barrier"), HasSubstr("rank 2")));
    EXPECT_FALSE(work->wait());
  });
}

TEST(Communicator, ALostPeerIsNamed) {
  LoopbackWorld world(3);
  world.lose(1);
  run_ranks(world, [](Communicator& communicator) {
    std::vector<float> values(2);
    const Status status = communicator.all_reduce(std::span(values), ReduceOp::kMean);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kPeerLost);
    EXPECT_THAT(status.error().message, HasSubstr("1"));
  });
}

TEST(Communicator, PointToPointSurvivesAParting) {
  run_ranks(2, [](Communicator& communicator) {
    std::vector<std::uint8_t> values(communicator.rank() == 0 ? 1 : 2, 5);
    EXPECT_FALSE(communicator.all_reduce(std::span(values), ReduceOp::kSum));
    std::vector<std::uint8_t> word = {communicator.rank() == 0 ? std::uint8_t{42}
                                                               : std::uint8_t{0}};
    ASSERT_TRUE(communicator.rank() == 0 ? communicator.send(bytes_of(word), 1)
                                         : communicator.receive(bytes_of(word), 0));
    EXPECT_THAT(word, ElementsAre(42));
  });
}

}  // namespace
}  // namespace wccl
