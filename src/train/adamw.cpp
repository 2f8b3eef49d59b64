#include "train/adamw.h"

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/optim/adamw.h>

namespace wccl::train {

struct AdamW::State {
  at::Tensor weights;
  torch::optim::AdamW optimiser;
  torch::optim::AdamWParamState* moments = nullptr;  ///< The optimiser's.
  float n_steps = 0;                                 ///< What the optimiser counts, as a float.

  State(std::size_t n_parameters, const AdamWOptions& options)
      : weights(at::zeros({static_cast<std::int64_t>(n_parameters)}, at::kFloat)),
        optimiser({weights},
                  torch::optim::AdamWOptions()
                      .betas({options.beta1, options.beta2})
                      .eps(options.epsilon)
                      .weight_decay(options.weight_decay)) {
    weights.mutable_grad() = at::zeros_like(weights);
    // What the optimiser would make at its first step, so that it can be read and written before.
    auto fresh = std::make_unique<torch::optim::AdamWParamState>();
    fresh->exp_avg(at::zeros_like(weights));
    fresh->exp_avg_sq(at::zeros_like(weights));
    moments = fresh.get();
    optimiser.state()[weights.unsafeGetTensorImpl()] = std::move(fresh);
  }
};

AdamW::AdamW(std::size_t n_parameters, AdamWOptions options)
    : state_(std::make_unique<State>(n_parameters, options)) {}
AdamW::~AdamW() = default;

void AdamW::step(std::span<float> weights, std::span<const float> gradient, double lr) {
  assert(std::ssize(weights) == state_->weights.numel() && weights.size() == gradient.size());
  auto* ours = state_->weights.mutable_data_ptr<float>();
  std::memcpy(ours, weights.data(), weights.size_bytes());
  std::memcpy(state_->weights.mutable_grad().mutable_data_ptr<float>(), gradient.data(),
              gradient.size_bytes());
  state_->optimiser.param_groups().front().options().set_lr(lr);
  state_->moments->step(static_cast<std::int64_t>(state_->n_steps));
  state_->optimiser.step();
  state_->n_steps += 1;
  std::memcpy(weights.data(), ours, weights.size_bytes());
}

AdamW::Memory AdamW::memory() {
  const auto floats = [](const at::Tensor& tensor) {
    return std::span(tensor.mutable_data_ptr<float>(), static_cast<std::size_t>(tensor.numel()));
  };
  return {std::span(&state_->n_steps, 1), floats(state_->moments->exp_avg()),
          floats(state_->moments->exp_avg_sq())};
}

}  // namespace wccl::train
