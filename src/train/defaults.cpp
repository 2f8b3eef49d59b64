#include <cmath>

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
      return {100, 32, 0.1};
    case Strategy::kDataParallel:
      return {1, 256, 0.03};
    case Strategy::kDiloco:
      break;
  }
  return {200, 32, 0.02};
}

}  // namespace

TrainOptions with_defaults(TrainOptions options) {
  const Defaults defaults = defaults_of(options.strategy);
  if (options.inner_steps == kStrategyDefault) options.inner_steps = defaults.inner_steps;
  if (options.batch_size == kStrategyDefault) options.batch_size = defaults.batch_size;
  if (options.inner_lr == kStrategyDefault) options.inner_lr = defaults.inner_lr;
  return options;
}

double inner_lr_at(const TrainOptions& options, std::int64_t) {
  return options.inner_lr;
}

}  // namespace wccl::train
