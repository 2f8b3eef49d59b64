#include "train/trainer.h"

#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "train/algorithm.h"
#include "train/run_log.h"
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

/// Tells runs apart whose ranks must not meet. Time and paths may differ between ranks.
std::uint64_t hash_options(const TrainOptions& options, const Mnist& data) {
  const std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {}", static_cast<int>(options.strategy),
                  options.inner_steps, options.batch_size, options.inner_lr, options.outer_lr,
                  options.outer_momentum, options.max_syncs, options.target_accuracy, options.seed,
                  data.train.n_images, data.test.n_images);
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (const char c : text) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001B3U;
  }
  return hash;
}

Result<TrainResult> run(const TrainOptions& options,
                        const Mnist& data,
                        const Environment& environment,
                        RunLog log) {
  Worker worker(options, data, environment);
  Peers peers(environment.backend, environment.rank, environment.world_size);
  const auto algorithm = make_algorithm({options, worker, peers});
  // Every rank makes the same weights from the seed: exact arithmetic saves a broadcast over the
  // link. The first ballot carries their hash, so that ranks which began apart learn of it.
  std::vector<float> weights =
      DigitNetwork::initial_weights(Rng(options.seed).split(kWeightStream));
  const std::uint64_t options_hash = hash_options(options, data);
  TrainResult result;
  Status logged;
  while (result.syncs < options.max_syncs) {
    // Ranks on unlike machines round differently when they evaluate, so reaching the target is a
    // vote like any other. A rank that cannot keep its record takes the others along to an orderly
    // end.
    Ballot ballot;
    ballot.stop = !logged || (environment.should_stop && environment.should_stop()) ||
                  result.accuracy >= options.target_accuracy;
    ballot.state = state_hash(weights, options_hash);
    const std::vector<float> agreed = weights;
    const auto tally = algorithm->round(weights, ballot);
    if (!tally) {
      return tl::make_unexpected(tally.error());
    }
    if (tally->stop) {
      weights = agreed;
      break;
    }
    ++result.syncs;
    result.accuracy = worker.accuracy(weights);
    if (auto paid = worker.pay(); !paid) {
      return tl::make_unexpected(paid.error());
    }

    const Duration elapsed = environment.elapsed ? environment.elapsed() : Duration{};
    const Progress progress{environment.rank, result.syncs,    worker.steps(),
                            tally->loss,      result.accuracy, elapsed};
    result.history.push_back(progress);
    if (logged) {
      logged = log.add(progress, weights);
    }
    if (environment.on_progress) {
      environment.on_progress(progress);
    }
  }
  if (!logged) {
    return tl::make_unexpected(logged.error());
  }
  result.steps = worker.steps();
  result.weights_sha256 = weights_sha256(weights);
  return result;
}

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
  auto log = RunLog::open(environment.rank == 0 ? options.run_folder : std::filesystem::path{});
  if (!log) {
    return tl::make_unexpected(log.error());
  }
  return run(options, data, environment, std::move(*log));
}

}  // namespace wccl::train
