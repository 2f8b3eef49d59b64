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

  /// Steps since the beginning of the run, equal on all ranks.
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  /// As after so many steps: the batches follow from the seed, and need not be kept.
  /// @param steps  At least those taken so far.
  void skip_to(std::int64_t steps);

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
