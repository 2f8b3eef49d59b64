#include "train/worker.h"

#include <cassert>

namespace wccl::train {
namespace {

// The shard's shuffle uses the seed itself; the ranks' streams must differ from it and from one
// another.
constexpr std::uint64_t kBatchStream = 1000;

Rng batch_rng(std::uint64_t seed, int rank) {
  return Rng(seed).split(kBatchStream + static_cast<std::uint64_t>(rank));
}

}  // namespace

Worker::Worker(const TrainOptions& options, const Mnist& data, const Environment& environment)
    : data_(data),
      environment_(environment),
      batch_size_(options.batch_size),
      batches_(shard(data.train.n_images, environment.rank, environment.world_size, options.seed),
               batch_rng(options.seed, environment.rank)) {}

double Worker::gradient(std::span<const float> weights, std::span<float> gradient) {
  ++steps_;
  owed_ += environment_.cost.step(batch_size_);
  return network_.loss_and_gradient(weights, data_.train,
                                    batches_.next(static_cast<std::size_t>(batch_size_)), gradient);
}

double Worker::accuracy(std::span<const float> weights) {
  owed_ += environment_.cost.evaluation(data_.test.n_images);
  return static_cast<double>(network_.count_correct(weights, data_.test)) / data_.test.n_images;
}

void Worker::skip_to(std::int64_t steps) {
  assert(steps >= steps_);
  batches_.skip(static_cast<std::uint64_t>(steps - steps_) *
                static_cast<std::uint64_t>(batch_size_));
  steps_ = steps;
}

Status Worker::pay() {
  const Duration owed = owed_;
  owed_ = {};
  return environment_.charge ? environment_.charge(owed) : Status{};
}

}  // namespace wccl::train
