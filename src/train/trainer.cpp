#include "train/trainer.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "train/algorithm.h"
#include "train/rank_state.h"
#include "train/resume.h"
#include "train/run_identity.h"
#include "train/run_log.h"
#include "train/state_store.h"
#include "train/weights_hash.h"

namespace wccl::train {
namespace {

constexpr std::uint64_t kWeightStream = 1;

/// Nothing, or what is wrong with the call, before any work.
Status check(const TrainOptions& options, const Mnist& data, const Environment& environment) {
  const auto refuse = [](std::string what) {
    return fail(ErrorCode::kInvalidArgument, std::move(what));
  };
  if (environment.world_size < 1 || environment.rank < 0 ||
      environment.rank >= environment.world_size) {
    return refuse(
        fmt::format("rank {} of {} does not exist", environment.rank, environment.world_size));
  }
  if (environment.backend == nullptr && environment.world_size > 1) {
    return refuse("training needs a c10d backend");
  }
  if (options.inner_steps < 1) {
    return refuse("--inner-steps must be at least 1");
  }
  if (options.batch_size < 1) {
    return refuse("the batch size must be at least 1");
  }
  if (options.max_syncs < 1) {
    return refuse("at least one sync is needed");
  }
  if (!(options.inner_lr > 0)) {
    return refuse("the learning rate must be above 0");
  }
  if (!(options.outer_lr > 0)) {
    return refuse("the outer learning rate must be above 0");
  }
  if (!(options.outer_momentum >= 0 && options.outer_momentum < 1)) {
    return refuse("the outer momentum must be from 0 to below 1");
  }
  if (!(options.target_accuracy > 0 && options.target_accuracy <= 1)) {
    return refuse("the target accuracy must be above 0 and at most 1");
  }
  if (data.test.n_images < 1) {
    return refuse("there are no test images");
  }
  if (data.train.n_images < environment.world_size) {
    return refuse("there are fewer training images than ranks");
  }
  return {};
}

std::unique_ptr<Algorithm> make_algorithm(const Rig& rig) {
  switch (rig.options.strategy) {
    case Strategy::kParameterServer:
      return make_parameter_server(rig);
    case Strategy::kDataParallel:
      return make_data_parallel(rig);
    case Strategy::kDiloco:
      break;
  }
  return make_diloco(rig);
}

/// One rank's run, from its beginning or from where it was.
class Run {
 public:
  Run(const TrainOptions& options, const Mnist& data, const Environment& environment)
      : options_(options),
        environment_(environment),
        identity_(identify(options, data)),
        hash_(hash_run(identity_, options)),
        worker_(options, data, environment),
        peers_(environment.backend, environment.rank, environment.world_size),
        algorithm_(make_algorithm({options, worker_, peers_})),
        store_(options.run_folder, environment.rank, identity_),
        // Every rank makes the same weights from the seed: exact arithmetic saves a broadcast over
        // the link. The first ballot carries their hash, so that ranks which began apart learn of
        // it.
        weights_(DigitNetwork::initial_weights(Rng(options.seed).split(kWeightStream))) {}

  Result<TrainResult> train() {
    if (auto begun = options_.resume ? resume() : begin(); !begun) {
      return tl::make_unexpected(begun.error());
    }
    while (result_.syncs < options_.max_syncs) {
      const auto goes_on = round();
      if (!goes_on) {
        return tl::make_unexpected(goes_on.error());
      }
      if (!*goes_on) {
        break;
      }
    }
    if (!kept_) {
      return tl::make_unexpected(kept_.error());
    }
    result_.steps = worker_.steps();
    result_.weights_sha256 = weights_sha256(weights_);
    return std::move(result_);
  }

 private:
  Status begin() {
    // What an earlier run left in the folder is no state of this one.
    if (auto forgotten = store_.forget_after(0); !forgotten) {
      return forgotten;
    }
    return open_log(RunLog::open(record_folder()));
  }

  Status resume() {
    auto kept = store_.load();
    if (!kept) {
      return tl::make_unexpected(kept.error());
    }
    const auto memory = algorithm_->memory();
    std::erase_if(kept->states, [&](const RankState& state) {
      const auto steps = static_cast<std::int64_t>(state.progress.syncs) * options_.inner_steps;
      return state.progress.steps != steps || !fits(state, memory, environment_.rank);
    });
    const auto point = agree_on_state(kept->states, memory, options_.inner_steps, hash_, peers_);
    if (!point) {
      return tl::make_unexpected(point.error());
    }
    Resumption resumption;
    resumption.rank = environment_.rank;
    resumption.notes = kept->notes;
    if (!*point) {
      report(resumption);
      return begin();
    }
    const MeetingPoint& from = **point;
    if (auto gone_on = go_on_from(from.state); !gone_on) {
      return gone_on;
    }
    resumption.syncs = result_.syncs;
    resumption.elapsed = elapsed_before_;
    resumption.history = result_.history;
    std::ranges::copy(from.notes, std::back_inserter(resumption.notes));
    report(resumption);
    return {};
  }

  void report(const Resumption& resumption) const {
    if (environment_.on_resume) {
      environment_.on_resume(resumption);
    }
  }

  Status go_on_from(const RankState& state) {
    const auto memory = algorithm_->memory();
    weights_ = state.weights;
    put_back(state, memory, environment_.rank);
    worker_.skip_to(state.progress.steps);
    Progress progress = state.progress;
    progress.rank = environment_.rank;
    result_.syncs = progress.syncs;
    result_.accuracy = progress.accuracy;
    elapsed_before_ = progress.elapsed;
    result_.history = read_history(options_.run_folder, progress.syncs, environment_.rank);
    if (result_.history.empty() || result_.history.back().syncs != progress.syncs) {
      result_.history.push_back(progress);
    }
    // The folder of a new rank is made here.
    if (auto opened = open_log(RunLog::go_on(record_folder(), result_.history)); !opened) {
      return opened;
    }
    if (auto forgotten = store_.forget_after(progress.syncs); !forgotten) {
      return forgotten;
    }
    if (state.progress.rank == environment_.rank) {
      return {};
    }
    return store_.save(take_state(progress, weights_, memory));
  }

  Status open_log(Result<RunLog> log) {
    if (!log) {
      return tl::make_unexpected(log.error());
    }
    log_ = std::move(*log);
    return {};
  }

  /// @return whether there is another round after it.
  Result<bool> round() {
    // Ranks on unlike machines round differently when they evaluate, so reaching the target is a
    // vote like any other. A rank that cannot keep its record takes the others along to an orderly
    // end.
    Ballot ballot;
    ballot.stop = !kept_ || (environment_.should_stop && environment_.should_stop()) ||
                  result_.accuracy >= options_.target_accuracy;
    ballot.state = state_hash(weights_, hash_);
    const std::vector<float> agreed = weights_;
    const auto tally = algorithm_->round(weights_, ballot);
    if (!tally) {
      return tl::make_unexpected(tally.error());
    }
    if (tally->stop) {
      weights_ = agreed;
      return false;
    }
    ++result_.syncs;
    result_.accuracy = worker_.accuracy(weights_);
    if (auto paid = worker_.pay(); !paid) {
      return tl::make_unexpected(paid.error());
    }
    const Progress progress{environment_.rank, result_.syncs,    worker_.steps(),
                            tally->loss,       result_.accuracy, elapsed()};
    result_.history.push_back(progress);
    if (kept_) {
      kept_ = keep(progress);
    }
    if (environment_.on_progress) {
      environment_.on_progress(progress);
    }
    return true;
  }

  /// The state last: the record may be ahead of it, and is cut when the run is resumed.
  Status keep(const Progress& progress) {
    if (auto logged = log_.add(progress, weights_); !logged) {
      return logged;
    }
    return store_.save(take_state(progress, weights_, algorithm_->memory()));
  }

  [[nodiscard]] Duration elapsed() const {
    return elapsed_before_ + (environment_.elapsed ? environment_.elapsed() : Duration{});
  }
  [[nodiscard]] std::filesystem::path record_folder() const {
    return options_.keeps_record ? options_.run_folder : std::filesystem::path{};
  }

  const TrainOptions& options_;
  const Environment& environment_;
  RunIdentity identity_;
  std::uint64_t hash_;
  Worker worker_;
  Peers peers_;
  std::unique_ptr<Algorithm> algorithm_;
  StateStore store_;
  RunLog log_;
  std::vector<float> weights_;
  TrainResult result_;
  Duration elapsed_before_{};  ///< What the run had taken before it was resumed.
  Status kept_;                ///< An error once something could not be written.
};

}  // namespace

Duration CostModel::step(int batch_size) const {
  // Backward costs twice what forward does: gradients of the inputs and of the weights.
  return per_step + from_seconds(3 * DigitNetwork::kForwardFlops * batch_size / flops_per_second);
}

Duration CostModel::evaluation(int n_images) const {
  return from_seconds(DigitNetwork::kForwardFlops * n_images / flops_per_second);
}

Result<TrainResult> train(const TrainOptions& given,
                          const Mnist& data,
                          const Environment& environment) {
  const TrainOptions options = with_defaults(given);
  if (auto checked = check(options, data, environment); !checked) {
    return tl::make_unexpected(checked.error());
  }
  return Run(options, data, environment).train();
}

Status judge_resume(const TrainOptions& given, const Mnist& data, int rank) {
  const TrainOptions options = with_defaults(given);
  const auto kept = StateStore(options.run_folder, rank, identify(options, data)).load();
  return kept ? Status() : tl::make_unexpected(kept.error());
}

}  // namespace wccl::train
