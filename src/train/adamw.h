#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace wccl::train {

struct AdamWOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
};

/// LibTorch's AdamW (Loshchilov and Hutter 2019) over flat parameters. Its state is one rank's own
/// and never travels.
class AdamW {
 public:
  AdamW(std::size_t n_parameters, AdamWOptions options);
  ~AdamW();
  AdamW(const AdamW&) = delete;
  AdamW& operator=(const AdamW&) = delete;

  /// @param weights, gradient  [n_parameters]
  void step(std::span<float> weights, std::span<const float> gradient, double lr);

  /// All that it remembers, under PyTorch's names for it: to be kept, and written back.
  struct Memory {
    std::span<float> step;  ///< [1], exact up to 2^24, as in PyTorch.
    std::span<float> exp_avg;
    std::span<float> exp_avg_sq;
  };
  [[nodiscard]] Memory memory();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wccl::train
