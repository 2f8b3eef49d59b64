#pragma once

#include <cstdint>
#include <span>

#include "train/batches.h"
#include "train/digit_network.h"
#include "train/trainer.h"

namespace wccl::train {

/// One rank's own compute: gradients from its shard, accuracy, and the bill for both.
class Worker {
 public:
  /// @param options  With their defaults in place. All arguments are borrowed.
  Worker(const TrainOptions& options, const Mnist& data, const Environment& environment);

  /// Gradient of the next batch. @param gradient  Overwritten. @return the mean loss.
  double gradient(std::span<const float> weights, std::span<float> gradient);
  [[nodiscard]] double accuracy(std::span<const float> weights);

  /// Charges the compute since the last call, in one piece: the room need not wake for every step.
  Status pay();

  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  const Mnist& data_;
  const Environment& environment_;
  int batch_size_;
  DigitNetwork network_;
  Batches batches_;
  std::int64_t steps_ = 0;
  Duration owed_{};
};

}  // namespace wccl::train
