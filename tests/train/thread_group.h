#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "train/trainer.h"

namespace wccl::train {

/// N ranks as threads of one process, joined by a c10d backend over shared memory: what the
/// trainer's tests train through. Reductions run in rank order.
class ThreadGroup {
 public:
  explicit ThreadGroup(int world_size) : world_size_(world_size) {}

  using Results = std::vector<Result<TrainResult>>;
  /// Trains all ranks to their end. @param prepare  Changes a rank's options and environment before
  /// it starts.
  Results train(const TrainOptions& options,
                const Mnist& data,
                const std::function<void(int rank, TrainOptions&, Environment&)>& prepare = {});

  /// From now on every operation throws what a backend would say of a lost rank.
  void fail(const std::string& message);
  /// Operations that all ranks have begun, broadcasts and sums alike.
  [[nodiscard]] int collectives() const { return collectives_; }

  // For the backend, from the ranks' threads:

  using Combine = std::function<std::vector<float>(const std::vector<std::vector<float>>&)>;
  /// Blocks until all ranks have come; every rank then gets what `combine` makes of their inputs.
  std::vector<float> meet(int rank, std::vector<float> input, const Combine& combine);
  void send(int from, int to, std::vector<float> message);
  std::vector<float> receive(int from, int to);

 private:
  void throw_if_failed() const;

  const int world_size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, std::vector<float>> waiting_;
  std::vector<float> combined_;
  int collectives_ = 0;
  std::map<std::pair<int, int>, std::deque<std::vector<float>>> mail_;
  std::string failure_;
};

}  // namespace wccl::train
