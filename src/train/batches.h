#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"

namespace wccl::train {

/// The pictures of one rank: all ranks of a seed shuffle alike and each takes its own stretch, so
/// that shards neither overlap nor leave one out, and nothing is said over the link.
[[nodiscard]] std::vector<int> shard(int n_images, int rank, int world_size, std::uint64_t seed);

/// Endless batches from a shard: every picture once, then all again in another order.
class Batches {
 public:
  /// @param pictures  Not empty.
  Batches(std::vector<int> pictures, Rng rng);

  /// @return the next `batch_size` pictures, valid until the next call.
  [[nodiscard]] std::span<const int> next(std::size_t batch_size);
  /// As after next() of so many pictures in all.
  void skip(std::uint64_t n_pictures);

 private:
  int draw();

  std::vector<int> pictures_;
  Rng rng_;
  std::size_t position_ = 0;
  std::vector<int> batch_;
};

}  // namespace wccl::train
