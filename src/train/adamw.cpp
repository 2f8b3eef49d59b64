#include "train/adamw.h"

#include <cassert>
#include <cstdint>
#include <cstring>

#include <ATen/ops/zeros.h>
#include <torch/optim/adamw.h>

namespace wccl::train {

struct AdamW::State {
  at::Tensor weights;
  torch::optim::AdamW optimiser;

  State(std::size_t n_parameters, const AdamWOptions& options)
      : weights(at::zeros({static_cast<std::int64_t>(n_parameters)}, at::kFloat)),
        optimiser({weights},
                  torch::optim::AdamWOptions()
                      .betas({options.beta1, options.beta2})
                      .eps(options.epsilon)
                      .weight_decay(options.weight_decay)) {
    weights.mutable_grad() = at::zeros_like(weights);
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
  state_->optimiser.step();
  std::memcpy(weights.data(), ours, weights.size_bytes());
}

}  // namespace wccl::train
