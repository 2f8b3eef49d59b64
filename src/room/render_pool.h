#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace wccl::room {

/// Worker threads with one queue a node: jobs of one node run one at a time and in order, those of
/// different nodes side by side.
class RenderPool {
 public:
  RenderPool(int n_threads, int n_nodes);
  ~RenderPool();
  RenderPool(const RenderPool&) = delete;
  RenderPool& operator=(const RenderPool&) = delete;

  /// Ticket of a job; the pool keeps it alive until it has run.
  class Job {
   public:
    explicit Job(std::function<void()> work) : work_(std::move(work)) {}

   private:
    friend class RenderPool;
    std::function<void()> work_;
    std::exception_ptr error_;
    bool done_ = false;
  };

  std::shared_ptr<Job> submit(int node, std::function<void()> work);
  /// Blocks until `job` has run; rethrows what it threw.
  void join(const Job& job);
  /// Blocks until no job is queued or running.
  void drain();

 private:
  struct Queue {
    std::deque<std::shared_ptr<Job>> jobs;
    bool busy = false;
  };

  void work();
  [[nodiscard]] Queue* next_queue();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Queue> queues_;
  std::size_t first_ = 0;  ///< Where the search for work starts, so that no node starves.
  int n_pending_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace wccl::room
