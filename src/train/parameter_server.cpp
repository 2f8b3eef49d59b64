#include <algorithm>
#include <cmath>

#include "train/algorithm.h"

namespace wccl::train {
namespace {

constexpr int kRoot = 0;

class ParameterServer : public Algorithm {
 public:
  explicit ParameterServer(const Rig& rig)
      : rig_(rig),
        gradient_(DigitNetwork::kParameters),
        message_(DigitNetwork::kParameters + Ballot::kFloats) {}

  Result<Ballot> round(std::span<float> weights, Ballot ballot) override {
    const double lr = inner_lr_at(rig_.options, rig_.worker.steps());
    std::fill(message_.begin(), message_.end(), 0.0F);
    if (!ballot.stop) {
      ballot.loss = collect_gradients(weights, lr);
    }
    ballot.write(votes());
    if (auto paid = rig_.worker.pay(); !paid) {
      return tl::make_unexpected(paid.error());
    }

    if (rig_.peers.rank() == kRoot) {
      if (auto gathered = gather(); !gathered) {
        return tl::make_unexpected(gathered.error());
      }
      const auto rate = static_cast<float>(-lr / rig_.peers.world_size());
      for (std::size_t i = 0; i < weights.size(); ++i) {
        numbers()[i] = std::fma(rate, numbers()[i], weights[i]);
      }
    } else {
      if (auto sent = rig_.peers.send(message_, kRoot); !sent) {
        return tl::make_unexpected(sent.error());
      }
    }
    if (auto synced = rig_.peers.broadcast(message_, kRoot); !synced) {
      return tl::make_unexpected(synced.error());
    }
    std::copy(numbers().begin(), numbers().end(), weights.begin());
    return ballot.tally(votes(), rig_.peers.world_size());
  }

  std::vector<MemoryPart> memory() override { return {}; }

 private:
  std::span<float> numbers() { return std::span(message_).first(DigitNetwork::kParameters); }
  std::span<float> votes() { return std::span(message_).last(Ballot::kFloats); }

  /// Adds the gradients of H local SGD steps to numbers(). @return the mean loss.
  double collect_gradients(std::span<const float> weights, double lr) {
    std::vector<float> local(weights.begin(), weights.end());
    const int n_steps = rig_.options.inner_steps;
    double loss = 0;
    for (int step = 0; step < n_steps; ++step) {
      loss += rig_.worker.gradient(local, gradient_);
      for (std::size_t i = 0; i < local.size(); ++i) {
        local[i] = std::fma(static_cast<float>(-lr), gradient_[i], local[i]);
        numbers()[i] += gradient_[i];
      }
    }
    return loss / n_steps;
  }

  /// Adds the workers' messages, votes and all, in rank order.
  Status gather() {
    std::vector<float> incoming(message_.size());
    for (int worker = 1; worker < rig_.peers.world_size(); ++worker) {
      if (auto received = rig_.peers.receive(incoming, worker); !received) {
        return received;
      }
      for (std::size_t i = 0; i < message_.size(); ++i) {
        message_[i] += incoming[i];
      }
    }
    return {};
  }

  Rig rig_;
  std::vector<float> gradient_;
  std::vector<float> message_;
};

}  // namespace

std::unique_ptr<Algorithm> make_parameter_server(const Rig& rig) {
  return std::make_unique<ParameterServer>(rig);
}

}  // namespace wccl::train
