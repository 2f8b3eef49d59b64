#include "train/batches.h"

#include <cassert>
#include <numeric>
#include <utility>

namespace wccl::train {
namespace {

/// Fisher and Yates. std::shuffle may differ between standard libraries.
void shuffle(std::vector<int>& values, Rng& rng) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[static_cast<std::size_t>(rng.below(i))]);
  }
}

}  // namespace

std::vector<int> shard(int n_images, int rank, int world_size, std::uint64_t seed) {
  assert(0 <= rank && rank < world_size);
  std::vector<int> order(static_cast<std::size_t>(n_images));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(seed);
  shuffle(order, rng);
  const auto edge = [&](int part) {
    return order.begin() + static_cast<std::ptrdiff_t>(n_images) * part / world_size;
  };
  return {edge(rank), edge(rank + 1)};
}

Batches::Batches(std::vector<int> pictures, Rng rng) : pictures_(std::move(pictures)), rng_(rng) {
  assert(!pictures_.empty());
  shuffle(pictures_, rng_);
}

std::span<const int> Batches::next(std::size_t batch_size) {
  batch_.clear();
  while (batch_.size() < batch_size) {
    batch_.push_back(draw());
  }
  return batch_;
}

void Batches::skip(std::uint64_t n_pictures) {
  for (std::uint64_t i = 0; i < n_pictures; ++i) {
    static_cast<void>(draw());
  }
}

int Batches::draw() {
  if (position_ == pictures_.size()) {
    shuffle(pictures_, rng_);
    position_ = 0;
  }
  return pictures_[position_++];
}

}  // namespace wccl::train
