#include <cmath>

#include "train/adamw.h"
#include "train/algorithm.h"

namespace wccl::train {
namespace {

class Diloco : public Algorithm {
 public:
  explicit Diloco(const Rig& rig)
      : rig_(rig),
        inner_(DigitNetwork::kParameters, {}),
        gradient_(DigitNetwork::kParameters),
        velocity_(DigitNetwork::kParameters),
        message_(DigitNetwork::kParameters + Ballot::kFloats) {}

  Result<Ballot> round(std::span<float> weights, Ballot ballot) override {
    std::vector<float> local(weights.begin(), weights.end());
    if (!ballot.stop) {
      ballot.loss = train_locally(local);
    }
    if (auto paid = rig_.worker.pay(); !paid) {
      return tl::make_unexpected(paid.error());
    }

    const auto delta = std::span(message_).first(weights.size());
    for (std::size_t i = 0; i < delta.size(); ++i) {
      delta[i] = local[i] - weights[i];
    }
    const auto votes = std::span(message_).last(Ballot::kFloats);
    ballot.write(votes);
    if (auto synced = rig_.peers.all_reduce_sum(message_); !synced) {
      return tl::make_unexpected(synced.error());
    }
    step_outer(weights, delta);
    return ballot.tally(votes, rig_.peers.world_size());
  }

  std::vector<MemoryPart> memory() override {
    const AdamW::Memory adamw = inner_.memory();
    return {{"outer.velocity", velocity_, true},
            {"inner.step", adamw.step, false},
            {"inner.exp_avg", adamw.exp_avg, false},
            {"inner.exp_avg_sq", adamw.exp_avg_sq, false}};
  }

 private:
  double train_locally(std::span<float> local) {
    const int n_steps = rig_.options.inner_steps;
    double loss = 0;
    for (int i = 0; i < n_steps; ++i) {
      const double lr = inner_lr_at(rig_.options, rig_.worker.steps());
      loss += rig_.worker.gradient(local, gradient_);
      inner_.step(local, gradient_, lr);
    }
    return loss / n_steps;
  }

  /// Nesterov's momentum as PyTorch's SGD has it; with momentum 0 and rate 1 the ranks' mean.
  void step_outer(std::span<float> weights, std::span<const float> delta_sum) {
    const auto n_ranks = static_cast<float>(rig_.peers.world_size());
    const auto rate = static_cast<float>(rig_.options.outer_lr);
    const auto momentum = static_cast<float>(rig_.options.outer_momentum);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const float delta = delta_sum[i] / n_ranks;
      velocity_[i] = std::fma(momentum, velocity_[i], delta);
      weights[i] = std::fma(rate, std::fma(momentum, velocity_[i], delta), weights[i]);
    }
  }

  Rig rig_;
  AdamW inner_;
  std::vector<float> gradient_;
  std::vector<float> velocity_;
  std::vector<float> message_;
};

}  // namespace

std::unique_ptr<Algorithm> make_diloco(const Rig& rig) {
  return std::make_unique<Diloco>(rig);
}

}  // namespace wccl::train
