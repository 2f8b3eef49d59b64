#include <algorithm>

#include "train/adamw.h"
#include "train/algorithm.h"

namespace wccl::train {
namespace {

class DataParallel : public Algorithm {
 public:
  explicit DataParallel(const Rig& rig)
      : rig_(rig),
        optimiser_(DigitNetwork::kParameters, {}),
        message_(DigitNetwork::kParameters + Ballot::kFloats) {}

  Result<Ballot> round(std::span<float> weights, Ballot ballot) override {
    const auto gradient = std::span(message_).first(weights.size());
    const double lr = inner_lr_at(rig_.options, rig_.worker.steps());
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    if (!ballot.stop) {
      ballot.loss = rig_.worker.gradient(weights, gradient);
    }
    if (auto paid = rig_.worker.pay(); !paid) {
      return tl::make_unexpected(paid.error());
    }

    const auto votes = std::span(message_).last(Ballot::kFloats);
    ballot.write(votes);
    if (auto synced = rig_.peers.all_reduce_sum(message_); !synced) {
      return tl::make_unexpected(synced.error());
    }
    const auto n_ranks = static_cast<float>(rig_.peers.world_size());
    for (float& value : gradient) {
      value /= n_ranks;
    }
    optimiser_.step(weights, gradient, lr);
    return ballot.tally(votes, rig_.peers.world_size());
  }

  std::vector<MemoryPart> memory() override {
    const AdamW::Memory adamw = optimiser_.memory();
    // All ranks take the same steps.
    return {{"optimizer.step", adamw.step, true},
            {"optimizer.exp_avg", adamw.exp_avg, true},
            {"optimizer.exp_avg_sq", adamw.exp_avg_sq, true}};
  }

 private:
  Rig rig_;
  AdamW optimiser_;
  std::vector<float> message_;
};

}  // namespace

std::unique_ptr<Algorithm> make_data_parallel(const Rig& rig) {
  return std::make_unique<DataParallel>(rig);
}

}  // namespace wccl::train
