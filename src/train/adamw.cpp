#include "train/adamw.h"

#include <cassert>
#include <cmath>

namespace wccl::train {

AdamW::AdamW(std::size_t n_parameters, AdamWOptions options)
    : options_(options), mean_(n_parameters, 0.0F), square_(n_parameters, 0.0F) {}

// Multiply-adds are spelled out for the same reason as in digit_network.cpp: ranks that apply the
// same gradient must end with the same bits.
void AdamW::step(std::span<float> weights, std::span<const float> gradient, double lr) {
  assert(weights.size() == mean_.size() && gradient.size() == mean_.size());
  // What the powers leave of 1, before they move on.
  const double mean_left = std::fma(-beta1_power_, static_cast<double>(options_.beta1), 1.0);
  const double square_left = std::fma(-beta2_power_, static_cast<double>(options_.beta2), 1.0);
  beta1_power_ *= static_cast<double>(options_.beta1);
  beta2_power_ *= static_cast<double>(options_.beta2);
  const auto mean_scale = static_cast<float>(1.0 / mean_left);
  const auto square_scale = static_cast<float>(1.0 / square_left);
  const float keep1 = 1.0F - options_.beta1;
  const float keep2 = 1.0F - options_.beta2;
  const auto rate = static_cast<float>(-lr);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float g = gradient[i];
    mean_[i] = std::fma(options_.beta1, mean_[i], keep1 * g);
    square_[i] = std::fma(options_.beta2, square_[i], keep2 * g * g);
    const float direction =
        mean_[i] * mean_scale / (std::sqrt(square_[i] * square_scale) + options_.epsilon);
    weights[i] = std::fma(rate, std::fma(options_.weight_decay, weights[i], direction), weights[i]);
  }
}

}  // namespace wccl::train
