#pragma once

#include <span>

#include "wccl/result.h"

namespace c10d {
class Backend;
}

namespace wccl::train {

/// The other ranks, reached through c10d: LibTorch's tensors and exceptions end here. Each call
/// blocks until it is done; kPeerLost carries the first line of what the backend says.
class Peers {
 public:
  /// @param backend  Borrowed; may be null when `world_size` is 1, and calls then do nothing.
  Peers(::c10d::Backend* backend, int rank, int world_size);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int world_size() const { return world_size_; }

  /// Sum over all ranks, in place, bitwise equal on all.
  Status all_reduce_sum(std::span<float> values);
  Status broadcast(std::span<float> values, int root);
  Status send(std::span<float> values, int to);
  Status receive(std::span<float> values, int from);

 private:
  ::c10d::Backend* backend_;
  int rank_;
  int world_size_;
};

}  // namespace wccl::train
