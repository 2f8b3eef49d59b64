#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wccl::train {

struct AdamWOptions {
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
  float weight_decay = 0.0F;
};

/// AdamW (Loshchilov and Hutter 2019) over flat parameters. Its state is one rank's own and never
/// travels.
class AdamW {
 public:
  AdamW(std::size_t n_parameters, AdamWOptions options);

  /// @param weights, gradient  [n_parameters]
  void step(std::span<float> weights, std::span<const float> gradient, double lr);

 private:
  AdamWOptions options_;
  double beta1_power_ = 1.0;
  double beta2_power_ = 1.0;
  std::vector<float> mean_;
  std::vector<float> square_;
};

}  // namespace wccl::train
