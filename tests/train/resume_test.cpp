#include "train/resume.h"

#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>

#include "../temporary_folder.h"
#include "strategies.h"
#include "synthetic_digits.h"
#include "thread_group.h"
#include "train/state_store.h"

namespace wccl::train {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Mnist& digits() {
  static const Mnist mnist = make_unlearnable_digits(1200, 300, 7);
  return mnist;
}

TrainOptions options_of(Strategy strategy) {
  TrainOptions options;
  options.strategy = strategy;
  options.inner_steps = strategy == Strategy::kDataParallel ? 1 : 12;
  options.batch_size = 32;
  options.max_syncs = 6;
  options.target_accuracy = 1.0;
  options.outer_lr = 0.7;
  options.outer_momentum = 0.9;
  return options;
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

/// Laptops that each keep a run folder of their own.
class Laptops {
 public:
  explicit Laptops(int n) : n_(n) {}

  [[nodiscard]] fs::path folder(int rank) const {
    return root_.path() / ("laptop" + std::to_string(rank));
  }
  [[nodiscard]] fs::path state(int rank) const {
    return folder(rank) / ("state-rank" + std::to_string(rank) + ".safetensors");
  }

  /// `charge` is called before each sync and after it, when the new weights were evaluated: rank 1
  /// stops in the n-th call.
  ThreadGroup::Results run_until(const TrainOptions& options, int charges) {
    return run(options, [charges](int rank, auto&, Environment& environment) {
      if (rank != 1) {
        return;
      }
      environment.charge = [charges, n = 0](Duration) mutable -> Status {
        return ++n == charges ? fail(ErrorCode::kCancelled, "the lid was closed") : Status();
      };
    });
  }

  using Prepare = std::function<void(int, TrainOptions&, Environment&)>;
  ThreadGroup::Results run(const TrainOptions& options, const Prepare& prepare = {}) {
    resumptions_.clear();
    resumptions_.resize(static_cast<std::size_t>(n_));
    return ThreadGroup(n_).train(
        options, digits(), [&](int rank, TrainOptions& own, Environment& environment) {
          own.run_folder = folder(rank);
          environment.on_resume = [this, rank](const Resumption& resumption) {
            resumptions_[static_cast<std::size_t>(rank)] = resumption;
          };
          if (prepare) {
            prepare(rank, own, environment);
          }
        });
  }
  ThreadGroup::Results resume(TrainOptions options, const Prepare& prepare = {}) {
    options.resume = true;
    return run(options, prepare);
  }

  [[nodiscard]] const Resumption& resumption(int rank) const {
    return resumptions_[static_cast<std::size_t>(rank)];
  }

 private:
  int n_;
  TemporaryFolder root_;
  std::vector<Resumption> resumptions_;
};

void expect_same_end(const ThreadGroup::Results& results, const ThreadGroup::Results& expected) {
  for (std::size_t rank = 0; rank < results.size(); ++rank) {
    ASSERT_TRUE(results[rank]) << results[rank].error().message;
    EXPECT_EQ(results[rank]->weights_sha256, expected[rank]->weights_sha256);
    EXPECT_EQ(results[rank]->syncs, expected[rank]->syncs);
    EXPECT_EQ(results[rank]->steps, expected[rank]->steps);
  }
}

void expect_equal_weights(const ThreadGroup::Results& results) {
  for (const auto& result : results) {
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->weights_sha256, results[0]->weights_sha256);
  }
}

class EveryStrategyResumes : public ::testing::TestWithParam<Strategy> {};

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategyResumes, all_strategies(), name_of);

TEST_P(EveryStrategyResumes, ToTheSameBitsAsARunThatWasNotInterrupted) {
  const TrainOptions options = options_of(GetParam());
  Laptops uninterrupted(3);
  const auto whole = uninterrupted.run(options);
  expect_equal_weights(whole);
  // In its 6th charge rank 1 has sync 3's weights and not kept them, and the others have; in its
  // 7th all have.
  for (const int charges : {6, 7}) {
    Laptops laptops(3);
    const auto broken = laptops.run_until(options, charges);
    for (const int rank : {0, 2}) {
      ASSERT_FALSE(broken[static_cast<std::size_t>(rank)]);
      EXPECT_THAT(broken[static_cast<std::size_t>(rank)].error().message, HasSubstr("rank 1"));
    }
    const auto resumed = laptops.resume(options);
    expect_same_end(resumed, whole);
    for (int rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(laptops.resumption(rank).syncs, charges == 6 ? 2 : 3);
      EXPECT_THAT(laptops.resumption(rank).notes, IsEmpty());
      EXPECT_EQ(slurp(laptops.folder(rank) / "metrics.jsonl"),
                slurp(uninterrupted.folder(rank) / "metrics.jsonl"));
      EXPECT_EQ(slurp(laptops.folder(rank) / "checkpoint.safetensors"),
                slurp(uninterrupted.folder(rank) / "checkpoint.safetensors"));
      EXPECT_EQ(slurp(laptops.state(rank)), slurp(uninterrupted.state(rank)));
    }
  }
}

TEST_P(EveryStrategyResumes, AfterSeveralInterruptions) {
  const TrainOptions options = options_of(GetParam());
  const auto whole = ThreadGroup(3).train(options, digits());
  Laptops laptops(3);
  ASSERT_FALSE(laptops.run_until(options, 3)[0]);
  TrainOptions again = options;
  again.resume = true;
  for (const int charges : {4, 1, 3}) {
    ASSERT_FALSE(laptops.run_until(again, charges)[1]);
  }
  expect_same_end(laptops.resume(options), whole);
}

TEST_P(EveryStrategyResumes, WithARankThatLostItsFolder) {
  const TrainOptions options = options_of(GetParam());
  const auto whole = ThreadGroup(3).train(options, digits());
  for (const int lost : {0, 1, 2}) {
    Laptops laptops(3);
    ASSERT_FALSE(laptops.run_until(options, 7)[1]);
    fs::remove_all(laptops.folder(lost));
    const auto resumed = laptops.resume(options);
    expect_equal_weights(resumed);
    EXPECT_EQ(resumed[0]->syncs, options.max_syncs);
    // Only DiLoCo's ranks have something that nobody else knows.
    if (GetParam() != Strategy::kDiloco) {
      expect_same_end(resumed, whole);
    }
    const std::string giver = lost == 0 ? "rank 1" : "rank 0";
    for (int rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(laptops.resumption(rank).syncs, 3);
      ASSERT_EQ(laptops.resumption(rank).notes.size(), 1U);
      EXPECT_THAT(
          laptops.resumption(rank).notes[0],
          AllOf(HasSubstr("rank " + std::to_string(lost) + " has nothing"), HasSubstr(giver)));
    }
  }
}

TEST_P(EveryStrategyResumes, FromTheStateBeforeWhenTheLastIsTorn) {
  const TrainOptions options = options_of(GetParam());
  const auto whole = ThreadGroup(3).train(options, digits());
  Laptops laptops(3);
  ASSERT_FALSE(laptops.run_until(options, 7)[1]);
  const std::string content = slurp(laptops.state(2));
  std::ofstream(laptops.state(2), std::ios::binary) << content.substr(0, content.size() / 2);
  expect_same_end(laptops.resume(options), whole);
  EXPECT_EQ(laptops.resumption(0).syncs, 2);
  ASSERT_EQ(laptops.resumption(2).notes.size(), 1U);
  EXPECT_THAT(laptops.resumption(2).notes[0], HasSubstr(laptops.state(2).string()));
}

TEST_P(EveryStrategyResumes, WithFewerLaptops) {
  const TrainOptions options = options_of(GetParam());
  Laptops three(3);
  ASSERT_FALSE(three.run_until(options, 7)[1]);
  Laptops two(2);
  for (const int rank : {0, 1}) {
    fs::copy(three.folder(rank), two.folder(rank));
  }
  const auto resumed = two.resume(options);
  expect_equal_weights(resumed);
  EXPECT_EQ(two.resumption(1).syncs, 3);
  EXPECT_EQ(resumed[0]->syncs, options.max_syncs);
}

TEST(ResumeTest, NewRunInTheFolderOfAnEarlierOneForgetsItsStates) {
  const TrainOptions options = options_of(Strategy::kDiloco);
  Laptops laptops(2);
  expect_equal_weights(laptops.run(options));
  ASSERT_FALSE(laptops.run_until(options, 1)[1]);
  const auto resumed = laptops.resume(options);
  expect_equal_weights(resumed);
  EXPECT_EQ(laptops.resumption(0).syncs, 0) << "nothing of the new run was kept yet";
  expect_same_end(resumed, ThreadGroup(2).train(options, digits()));
}

TEST(ResumeTest, FolderOfAnotherRankGivesTheWeights) {
  const TrainOptions options = options_of(Strategy::kDiloco);
  Laptops laptops(2);
  ASSERT_FALSE(laptops.run_until(options, 7)[1]);
  fs::rename(laptops.folder(0), laptops.folder(7));
  fs::rename(laptops.folder(1), laptops.folder(0));
  fs::rename(laptops.folder(7), laptops.folder(1));
  expect_equal_weights(laptops.resume(options));
  EXPECT_EQ(laptops.resumption(0).syncs, 3);
}

TEST(ResumeTest, TimeGoesOn) {
  TrainOptions options = options_of(Strategy::kDiloco);
  const auto tick = [](int, auto&, Environment& environment) {
    environment.elapsed = [asked = 0]() mutable { return Duration(++asked * 1'000'000); };
  };
  options.max_syncs = 3;
  Laptops laptops(2);
  expect_equal_weights(laptops.run(options, tick));
  options.max_syncs = 5;
  const auto resumed = laptops.resume(options, tick);
  expect_equal_weights(resumed);
  EXPECT_EQ(to_seconds(laptops.resumption(1).elapsed), 3);
  ASSERT_EQ(resumed[1]->history.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(resumed[1]->history[i].syncs, static_cast<int>(i) + 1);
    EXPECT_EQ(to_seconds(resumed[1]->history[i].elapsed), static_cast<double>(i + 1));
  }
}

TEST(ResumeTest, RunThatHasReachedItsTargetStaysAsItIs) {
  TrainOptions options = options_of(Strategy::kDiloco);
  options.target_accuracy = 0.3;
  options.max_syncs = 50;
  Laptops laptops(2);
  const auto first = laptops.run(options);
  expect_equal_weights(first);
  const auto resumed = laptops.resume(options);
  expect_equal_weights(resumed);
  EXPECT_EQ(resumed[0]->weights_sha256, first[0]->weights_sha256);
  EXPECT_EQ(resumed[0]->syncs, first[0]->syncs);
}

TEST(ResumeTest, OtherOptionsAreNamed) {
  const TrainOptions options = options_of(Strategy::kDiloco);
  Laptops laptops(2);
  ASSERT_FALSE(laptops.run_until(options, 3)[1]);
  const auto complaint = [&](auto change) {
    TrainOptions changed = options;
    change(changed);
    const auto results = laptops.resume(changed);
    EXPECT_FALSE(results[0]);
    TrainOptions own = changed;
    own.run_folder = laptops.folder(0);
    const auto judged = judge_resume(own, digits(), 0);
    EXPECT_FALSE(judged);
    EXPECT_EQ(judged.error().code, ErrorCode::kInvalidArgument);
    return judged.error().message;
  };
  EXPECT_THAT(complaint([](TrainOptions& o) { o.seed = 9; }), HasSubstr("--seed 1, not 9"));
  EXPECT_THAT(complaint([](TrainOptions& o) { o.inner_steps = 3; }),
              HasSubstr("--inner-steps 12, not 3"));
  EXPECT_THAT(complaint([](TrainOptions& o) { o.strategy = Strategy::kParameterServer; }),
              HasSubstr("--strategy diloco, not parameter-server"));
  EXPECT_THAT(complaint([](TrainOptions& o) { o.outer_momentum = 0; }),
              HasSubstr("outer momentum 0.9, not 0"));
  expect_equal_weights(laptops.resume(options));
}

TEST(ResumeTest, FoldersOfTwoRunsAreToldApart) {
  const TrainOptions options = options_of(Strategy::kDiloco);
  Laptops three(3);
  ASSERT_FALSE(three.run_until(options, 7)[1]);
  Laptops two(2);
  ASSERT_FALSE(two.run_until(options, 7)[1]);
  fs::remove_all(two.folder(1));
  fs::copy(three.folder(1), two.folder(1));
  for (const auto& result : two.resume(options)) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(result.error().message, HasSubstr("ranks 0 and 1 have kept different weights"));
  }
}

TEST(ResumeTest, RankThatIsNotToldToResumeIsFoundOut) {
  for (const auto strategy : {Strategy::kDiloco, Strategy::kDataParallel}) {
    const TrainOptions options = options_of(strategy);
    Laptops laptops(2);
    ASSERT_FALSE(laptops.run_until(options, 3)[1]);
    const auto results =
        laptops.run(options, [](int rank, TrainOptions& own, auto&) { own.resume = rank == 0; });
    for (const auto& result : results) {
      ASSERT_FALSE(result);
      EXPECT_THAT(result.error().message, HasSubstr("--resume"));
    }
  }
}

TEST(ResumeTest, FolderOfWhichNothingCanBeReadIsAnError) {
  const TrainOptions options = options_of(Strategy::kDiloco);
  Laptops laptops(2);
  ASSERT_FALSE(laptops.run_until(options, 3)[1]);
  std::ofstream(laptops.state(0), std::ios::binary) << "not a state";
  fs::remove(laptops.folder(0) / "state-rank0-previous.safetensors");
  const auto results = laptops.resume(options);
  ASSERT_FALSE(results[0]);
  EXPECT_EQ(results[0].error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(results[0].error().message, HasSubstr(laptops.state(0).string()));
}

TEST(StateStoreTest, KeepsTheLastTwoOfEachRank) {
  const TemporaryFolder folder;
  const StateStore store(folder.path(), 1, {});
  const StateStore other(folder.path(), 0, {});
  for (int syncs = 1; syncs <= 4; ++syncs) {
    RankState state;
    state.progress.rank = 1;
    state.progress.syncs = syncs;
    state.weights.assign(670, static_cast<float>(syncs));
    ASSERT_TRUE(store.save(state));
  }
  const auto kept = store.load();
  ASSERT_TRUE(kept) << kept.error().message;
  ASSERT_EQ(kept->states.size(), 2U);
  EXPECT_EQ(kept->states[0].progress.syncs, 4);
  EXPECT_EQ(kept->states[1].progress.syncs, 3);
  EXPECT_EQ(kept->states[1].weights[669], 3.0F);

  ASSERT_TRUE(store.forget_after(3));
  ASSERT_TRUE(other.forget_after(0));
  ASSERT_EQ(store.load()->states.size(), 1U);
  EXPECT_EQ(store.load()->states[0].progress.syncs, 3);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(RankStateTest, NoBitOfWhatAFileSaysCanChangeUnnoticed) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "state.safetensors";
  const RunIdentity identity{{{"seed", "--seed", "1"}}};
  RankState state;
  state.progress = {1, 3, 300, 0.5, 0.8, from_seconds(1.5)};
  state.weights.assign(670, 0.25F);
  state.memory["outer.velocity"] = {1, 2, 3};
  ASSERT_TRUE(write_state(path, state, identity));
  const auto back = read_state(path, identity);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->weights, state.weights);
  EXPECT_EQ(back->memory, state.memory);
  EXPECT_EQ(back->progress.steps, 300);
  EXPECT_EQ(to_seconds(back->progress.elapsed), 1.5);

  const std::string whole = slurp(path);
  for (std::size_t i = 0; i < whole.size(); i += i < 1500 ? 1 : 13) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 7)));
    std::ofstream(path, std::ios::binary) << changed;
    const auto read = read_state(path, identity);
    // Bytes that only fill up the header may be anything.
    EXPECT_TRUE(!read || (read->weights == state.weights && read->memory == state.memory &&
                          read->progress.steps == 300))
        << "byte " << i;
  }
}

}  // namespace
}  // namespace wccl::train
