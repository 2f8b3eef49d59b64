#include "train/algorithm.h"
#include "train/trainer.h"

namespace wccl::train {
namespace {

struct Defaults {
  int inner_steps;
  int batch_size;
  double inner_lr;
};

// Measured over seeds: docs/training.md.
Defaults defaults_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::kParameterServer:
      return {200, 128, 0.05};
    case Strategy::kDataParallel:
      return {1, 1024, 0.03};
    case Strategy::kDiloco:
      break;
  }
  return {100, 128, 0.03};
}

}  // namespace

TrainOptions with_defaults(TrainOptions options) {
  const Defaults defaults = defaults_of(options.strategy);
  if (options.inner_steps == kStrategyDefault) {
    options.inner_steps = defaults.inner_steps;
  }
  if (options.batch_size == kStrategyDefault) {
    options.batch_size = defaults.batch_size;
  }
  if (options.inner_lr == kStrategyDefault) {
    options.inner_lr = defaults.inner_lr;
  }
  return options;
}

double inner_lr_at(const TrainOptions& options, std::int64_t step) {
  // Falls as 1 / t and needs no length of the run, which nobody knows: a target ends it.
  constexpr double kHalvedAt = 150;
  return options.inner_lr / (1.0 + static_cast<double>(step) / kHalvedAt);
}

}  // namespace wccl::train
