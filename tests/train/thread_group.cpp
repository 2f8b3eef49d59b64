#include "thread_group.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>

#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace wccl::train {
namespace {

/// Every operation is complete when it returns.
class DoneWork : public ::c10d::Work {
 public:
  DoneWork() { finish(); }
};

std::vector<float> take(const at::Tensor& tensor) {
  const float* begin = tensor.const_data_ptr<float>();
  return {begin, begin + tensor.numel()};
}

void put(const std::vector<float>& values, const at::Tensor& tensor) {
  TORCH_CHECK(static_cast<std::int64_t>(values.size()) == tensor.numel(),
              "sizes differ between ranks");
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<float>());
}

class ThreadBackend : public ::c10d::Backend {
 public:
  ThreadBackend(ThreadGroup& group, int rank, int size) : Backend(rank, size), group_(group) {}

  c10::intrusive_ptr<::c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                             const ::c10d::AllreduceOptions&) override {
    put(group_.meet(getRank(), take(tensors.at(0)), sum), tensors.at(0));
    return c10::make_intrusive<DoneWork>();
  }
  c10::intrusive_ptr<::c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                             const ::c10d::BroadcastOptions& options) override {
    const auto root = static_cast<std::size_t>(options.rootRank);
    put(group_.meet(getRank(), take(tensors.at(0)),
                    [root](const auto& inputs) { return inputs.at(root); }),
        tensors.at(0));
    return c10::make_intrusive<DoneWork>();
  }
  c10::intrusive_ptr<::c10d::Work> send(std::vector<at::Tensor>& tensors, int to, int) override {
    group_.send(getRank(), to, take(tensors.at(0)));
    return c10::make_intrusive<DoneWork>();
  }
  c10::intrusive_ptr<::c10d::Work> recv(std::vector<at::Tensor>& tensors, int from, int) override {
    put(group_.receive(from, getRank()), tensors.at(0));
    return c10::make_intrusive<DoneWork>();
  }

 private:
  static std::vector<float> sum(const std::vector<std::vector<float>>& inputs) {
    std::vector<float> total = inputs.at(0);
    for (std::size_t rank = 1; rank < inputs.size(); ++rank) {
      for (std::size_t i = 0; i < total.size(); ++i) {
        total[i] += inputs[rank].at(i);
      }
    }
    return total;
  }

  ThreadGroup& group_;
};

}  // namespace

ThreadGroup::Results ThreadGroup::train(
    const TrainOptions& options,
    const Mnist& data,
    const std::function<void(int, TrainOptions&, Environment&)>& prepare) {
  Results results(static_cast<std::size_t>(world_size_),
                  wccl::fail(ErrorCode::kCancelled, "never ran"));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < world_size_; ++rank) {
    threads.emplace_back([&, rank] {
      const auto backend = c10::make_intrusive<ThreadBackend>(*this, rank, world_size_);
      Environment environment;
      environment.backend = backend.get();
      environment.rank = rank;
      environment.world_size = world_size_;
      TrainOptions own = options;
      if (prepare) {
        prepare(rank, own, environment);
      }
      auto& result = results[static_cast<std::size_t>(rank)];
      result = wccl::train::train(own, data, environment);
      // As a real backend does: a rank that left fails the operations of those that stay.
      if (!result) {
        fail("rank " + std::to_string(rank) + " is gone");
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  return results;
}

void ThreadGroup::fail(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) {
    failure_ = message;
  }
  changed_.notify_all();
}

void ThreadGroup::throw_if_failed() const {
  if (!failure_.empty()) {
    throw std::runtime_error(failure_ + "\nwith a second line that nobody should see");
  }
}

std::vector<float> ThreadGroup::meet(int rank, std::vector<float> input, const Combine& combine) {
  std::unique_lock lock(mutex_);
  throw_if_failed();
  const int meeting = collectives_;
  waiting_[rank] = std::move(input);
  if (static_cast<int>(waiting_.size()) == world_size_) {
    std::vector<std::vector<float>> inputs;
    for (auto& [_, values] : waiting_) {
      inputs.push_back(std::move(values));
    }
    waiting_.clear();
    combined_ = combine(inputs);
    ++collectives_;
    changed_.notify_all();
    return combined_;
  }
  // Nobody can overwrite `combined_` before this rank has taken it: the next meeting needs this
  // rank, too.
  changed_.wait(lock, [&] { return collectives_ != meeting || !failure_.empty(); });
  if (collectives_ == meeting) {
    throw_if_failed();
  }
  return combined_;
}

void ThreadGroup::send(int from, int to, std::vector<float> message) {
  const std::lock_guard lock(mutex_);
  throw_if_failed();
  mail_[{from, to}].push_back(std::move(message));
  changed_.notify_all();
}

std::vector<float> ThreadGroup::receive(int from, int to) {
  std::unique_lock lock(mutex_);
  auto& queue = mail_[{from, to}];
  changed_.wait(lock, [&] { return !queue.empty() || !failure_.empty(); });
  if (queue.empty()) {
    throw_if_failed();
  }
  auto message = std::move(queue.front());
  queue.pop_front();
  return message;
}

}  // namespace wccl::train
