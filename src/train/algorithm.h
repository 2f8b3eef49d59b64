#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "train/ballot.h"
#include "train/peers.h"
#include "train/trainer.h"
#include "train/worker.h"

namespace wccl::train {

/// A piece of what a strategy remembers from round to round; borrowed, to be kept and written back.
struct MemoryPart {
  std::string name;  ///< In the state file.
  std::span<float> values;
  bool shared =
      false;  ///< Equal on all ranks, so that any can give it to any; else this rank's own.
};

/// A strategy: what a rank does in one round, alone and then together with the others.
class Algorithm {
 public:
  virtual ~Algorithm() = default;
  Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;

  /// Trains locally, then syncs. A rank that votes to stop skips the training: a round in which
  /// anyone does is thrown away.
  /// @param weights  Equal on all ranks before and after.
  /// @param ballot   This rank's vote and state; the loss is filled in here.
  /// @return the tally, equal on all ranks.
  virtual Result<Ballot> round(std::span<float> weights, Ballot ballot) = 0;

  /// With these, the weights and the count of steps written back, the next round is the one that
  /// would have been.
  virtual std::vector<MemoryPart> memory() = 0;
};

/// What every strategy works with; all of it borrowed.
struct Rig {
  const TrainOptions& options;
  Worker& worker;
  Peers& peers;
};

/// H AdamW steps on each rank, then the mean of the changes goes through an outer SGD with Nesterov
/// momentum (DiLoCo, Douillard et al. 2023). AdamW's state stays on its rank.
[[nodiscard]] std::unique_ptr<Algorithm> make_diloco(const Rig& rig);

/// The mean gradient of every step, then the same AdamW step on all ranks.
[[nodiscard]] std::unique_ptr<Algorithm> make_data_parallel(const Rig& rig);

/// The original's way: rank 0, the root, gathers the gradients that the others send, steps, and
/// broadcasts the weights. With H above 1 a rank sends the sum of the gradients of H local SGD
/// steps.
[[nodiscard]] std::unique_ptr<Algorithm> make_parameter_server(const Rig& rig);

/// Learning rate of a local step. @param step  Counted from 0 over all rounds.
[[nodiscard]] double inner_lr_at(const TrainOptions& options, std::int64_t step);

}  // namespace wccl::train
