#include "train/trainer.h"

#include <atomic>
#include <string>

#include <gmock/gmock.h>

#include "strategies.h"
#include "synthetic_digits.h"
#include "thread_group.h"
#include "train/digit_network.h"

namespace wccl::train {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

const Mnist& digits() {
  static const Mnist mnist = make_unlearnable_digits(2000, 500, 7);
  return mnist;
}

TrainOptions options_of(Strategy strategy) {
  TrainOptions options;
  options.strategy = strategy;
  options.inner_steps = strategy == Strategy::kDataParallel ? 1 : 30;
  options.batch_size = 32;
  options.max_syncs = 5;
  options.target_accuracy = 1.0;
  return options;
}

class EveryStrategy : public ::testing::TestWithParam<Strategy> {};

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy, all_strategies(), name_of);

TEST_P(EveryStrategy, EndsWithTheSameWeightsOnAllRanks) {
  for (const int world_size : {2, 3, 5}) {
    const auto results = ThreadGroup(world_size).train(options_of(GetParam()), digits());
    for (const auto& result : results) {
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->weights_sha256, results[0]->weights_sha256);
      EXPECT_EQ(result->syncs, results[0]->syncs);
      EXPECT_EQ(result->accuracy, results[0]->accuracy);
    }
    EXPECT_THAT(results[0]->weights_sha256, ::testing::MatchesRegex("[0-9a-f]{64}"));
  }
}

TEST_P(EveryStrategy, RepeatsFromASeedAndDiffersWithAnother) {
  TrainOptions options = options_of(GetParam());
  const auto first = ThreadGroup(2).train(options, digits());
  const auto second = ThreadGroup(2).train(options, digits());
  options.seed = 2;
  const auto other = ThreadGroup(2).train(options, digits());
  ASSERT_TRUE(first[0] && second[0] && other[0]);
  EXPECT_EQ(first[0]->weights_sha256, second[0]->weights_sha256);
  EXPECT_NE(first[0]->weights_sha256, other[0]->weights_sha256);
  ASSERT_EQ(first[0]->history.size(), second[0]->history.size());
  for (std::size_t i = 0; i < first[0]->history.size(); ++i) {
    EXPECT_EQ(first[0]->history[i].loss, second[0]->history[i].loss);
    EXPECT_EQ(first[0]->history[i].accuracy, second[0]->history[i].accuracy);
  }
}

TEST_P(EveryStrategy, LearnsAnEasyTask) {
  TrainOptions options = options_of(GetParam());
  options.max_syncs = 80;
  options.target_accuracy = 0.97;
  const auto results = ThreadGroup(2).train(options, digits());
  ASSERT_TRUE(results[0]) << results[0].error().message;
  EXPECT_GE(results[0]->accuracy, 0.97);
  EXPECT_LT(results[0]->syncs, 80);
}

TEST_P(EveryStrategy, TakesAllRanksToTheLastWholeRoundWhenOneWantsToStop) {
  for (const int impatient : {0, 1, 2}) {
    const auto results = ThreadGroup(3).train(
        options_of(GetParam()), digits(), [&](int rank, auto&, Environment& environment) {
          if (rank != impatient) {
            return;
          }
          environment.should_stop = [asked = 0]() mutable { return ++asked == 2; };
        });
    for (const auto& result : results) {
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->syncs, 1);
      EXPECT_EQ(result->weights_sha256, results[0]->weights_sha256);
    }
  }
}

TEST_P(EveryStrategy, NamesWhatTheBackendSaysInOneLine) {
  ThreadGroup group(2);
  const auto results =
      group.train(options_of(GetParam()), digits(), [&](int rank, auto&, Environment& environment) {
        if (rank != 0) {
          return;
        }
        environment.on_progress = [&](const Progress&) {
          group.fail("rank 1 cannot be seen any more");
        };
      });
  ASSERT_FALSE(results[0]);
  EXPECT_EQ(results[0].error().code, ErrorCode::kPeerLost);
  EXPECT_THAT(results[0].error().message,
              AllOf(HasSubstr("rank 1 cannot be seen any more"), Not(HasSubstr("\n"))));
}

TEST_P(EveryStrategy, RefusesRanksThatWereStartedDifferently) {
  const auto results = ThreadGroup(2).train(options_of(GetParam()), digits(),
                                            [](int rank, TrainOptions& options, auto&) {
                                              options.seed = static_cast<std::uint64_t>(1 + rank);
                                            });
  for (const auto& result : results) {
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("start all with the same options"));
  }
}

TEST_P(EveryStrategy, ChargesTheStatedCostOfItsCompute) {
  const TrainOptions options = options_of(GetParam());
  Duration charged{};
  const auto results =
      ThreadGroup(2).train(options, digits(), [&](int rank, auto&, Environment& environment) {
        if (rank != 0) {
          return;
        }
        environment.charge = [&](Duration duration) -> Status {
          charged += duration;
          return {};
        };
      });
  ASSERT_TRUE(results[0]) << results[0].error().message;
  const CostModel cost;
  EXPECT_EQ(charged, results[0]->steps * cost.step(options.batch_size) +
                         results[0]->syncs * cost.evaluation(500));
  EXPECT_EQ(results[0]->steps, results[0]->syncs * options.inner_steps);
}

TEST(TrainerTest, StopsAtTheTargetAndTellsWhenItWasReached) {
  TrainOptions options = options_of(Strategy::kDiloco);
  options.target_accuracy = 0.6;
  options.inner_steps = 10;
  options.max_syncs = 100;
  const auto results =
      ThreadGroup(2).train(options, digits(), [](int, auto&, Environment& environment) {
        environment.elapsed = [asked = 0]() mutable { return Duration(++asked * 1'000'000); };
      });
  ASSERT_TRUE(results[0]) << results[0].error().message;
  const auto& history = results[0]->history;
  ASSERT_EQ(static_cast<int>(history.size()), results[0]->syncs);
  EXPECT_GE(history.back().accuracy, 0.6);
  for (std::size_t i = 0; i < history.size(); ++i) {
    EXPECT_EQ(history[i].syncs, static_cast<int>(i) + 1);
    EXPECT_EQ(to_seconds(history[i].elapsed), static_cast<double>(i + 1));
    EXPECT_EQ(history[i].accuracy >= 0.6, i + 1 == history.size());
  }
}

TEST(TrainerTest, OneSyncARoundAndNoOther) {
  ThreadGroup group(2);
  const auto results = group.train(options_of(Strategy::kDiloco), digits());
  ASSERT_TRUE(results[0]) << results[0].error().message;
  EXPECT_EQ(group.collectives(), results[0]->syncs);
}

TEST(TrainerTest, EndsWhenTheRoomDoes) {
  const auto results = ThreadGroup(2).train(
      options_of(Strategy::kDiloco), digits(), [](int, auto&, Environment& environment) {
        environment.charge = [](Duration) -> Status {
          return fail(ErrorCode::kCancelled, "the air time is over");
        };
      });
  ASSERT_FALSE(results[0]);
  EXPECT_EQ(results[0].error().code, ErrorCode::kCancelled);
}

TEST(TrainerTest, OuterMomentumKeepsRanksEqual) {
  TrainOptions options = options_of(Strategy::kDiloco);
  options.outer_lr = 0.7;
  options.outer_momentum = 0.9;
  const auto results = ThreadGroup(3).train(options, digits());
  ASSERT_TRUE(results[0] && results[1] && results[2]);
  EXPECT_EQ(results[0]->weights_sha256, results[1]->weights_sha256);
  EXPECT_EQ(results[0]->weights_sha256, results[2]->weights_sha256);
  const auto plain = ThreadGroup(3).train(options_of(Strategy::kDiloco), digits());
  EXPECT_NE(results[0]->weights_sha256, plain[0]->weights_sha256);
}

TEST(TrainerTest, DivergenceIsAnErrorAndNotAModel) {
  TrainOptions options = options_of(Strategy::kParameterServer);
  options.inner_lr = 1e30;
  for (const auto& result : ThreadGroup(2).train(options, digits())) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
  }
}

TEST(TrainerTest, TrainsAloneWithoutABackend) {
  const auto result = train(options_of(Strategy::kDiloco), digits(), Environment{});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->syncs, 5);
}

TEST(TrainerTest, RefusesWhatCannotWorkBeforeAnyWork) {
  const auto message = [](auto change) {
    TrainOptions options = options_of(Strategy::kDiloco);
    Environment environment;
    change(options, environment);
    const auto result = train(options, digits(), environment);
    return result ? std::string() : result.error().message;
  };
  EXPECT_THAT(message([](auto& o, auto&) { o.inner_steps = -1; }), HasSubstr("--inner-steps"));
  EXPECT_THAT(message([](auto& o, auto&) { o.batch_size = -1; }), HasSubstr("batch"));
  EXPECT_THAT(message([](auto& o, auto&) { o.max_syncs = 0; }), HasSubstr("sync"));
  EXPECT_THAT(message([](auto& o, auto&) { o.target_accuracy = 1.5; }), HasSubstr("accuracy"));
  EXPECT_THAT(message([](auto& o, auto&) { o.inner_lr = -0.1; }), HasSubstr("learning rate"));
  EXPECT_THAT(message([](auto& o, auto&) { o.outer_momentum = 1.0; }), HasSubstr("momentum"));
  EXPECT_THAT(message([](auto&, auto& e) { e.world_size = 2; }), HasSubstr("backend"));
  EXPECT_THAT(message([](auto&, auto& e) { e.rank = 1; }), HasSubstr("rank 1 of 1"));
}

// The bars of the optical demo, on the real digits: what one sync costs in air time makes these
// counts matter.
TEST(TrainerTest, RealMnistReaches83PercentInOneSyncAnd90InThree) {
  const auto mnist = real_mnist();
  if (!mnist) {
    GTEST_SKIP() << "MNIST is not here; ./test fetches it";
  }
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const int world_size : {2, 3}) {
      TrainOptions options;
      options.seed = seed;
      const auto results = ThreadGroup(world_size).train(options, *mnist);
      ASSERT_TRUE(results[0]) << results[0].error().message;
      EXPECT_GE(results[0]->history[0].accuracy, 0.83) << "seed " << seed;
      EXPECT_GE(results[0]->accuracy, 0.90) << "seed " << seed;
      EXPECT_LE(results[0]->syncs, 3) << "seed " << seed;
    }
  }
}

TEST(TrainerTest, RealMnistReaches83PercentWithAParameterServer) {
  const auto mnist = real_mnist();
  if (!mnist) {
    GTEST_SKIP() << "MNIST is not here; ./test fetches it";
  }
  TrainOptions options;
  options.strategy = Strategy::kParameterServer;
  options.target_accuracy = 0.83;
  const auto results = ThreadGroup(3).train(options, *mnist);
  ASSERT_TRUE(results[0]) << results[0].error().message;
  EXPECT_GE(results[0]->accuracy, 0.83);
  EXPECT_LE(results[0]->syncs, 2);
}

}  // namespace
}  // namespace wccl::train
