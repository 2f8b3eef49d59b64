#include "room/render_pool.h"

#include <algorithm>
#include <utility>

namespace wccl::room {

RenderPool::RenderPool(int n_threads, int n_nodes) : queues_(static_cast<std::size_t>(n_nodes)) {
  for (int i = 0; i < std::max(1, n_threads); ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

RenderPool::~RenderPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

std::shared_ptr<RenderPool::Job> RenderPool::submit(int node, std::function<void()> work) {
  auto job = std::make_shared<Job>(std::move(work));
  {
    const std::lock_guard lock(mutex_);
    queues_[static_cast<std::size_t>(node)].jobs.push_back(job);
    ++n_pending_;
  }
  changed_.notify_all();
  return job;
}

void RenderPool::join(const Job& job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return job.done_; });
  if (job.error_) {
    std::rethrow_exception(job.error_);
  }
}

void RenderPool::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return n_pending_ == 0; });
}

RenderPool::Queue* RenderPool::next_queue() {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    Queue& queue = queues_[(first_ + i) % queues_.size()];
    if (queue.busy || queue.jobs.empty()) {
      continue;
    }
    first_ = (first_ + i + 1) % queues_.size();
    return &queue;
  }
  return nullptr;
}

void RenderPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    Queue* queue = nullptr;
    changed_.wait(lock, [&] { return stopping_ || (queue = next_queue()) != nullptr; });
    if (stopping_) {
      return;
    }
    const std::shared_ptr<Job> job = std::move(queue->jobs.front());
    queue->jobs.pop_front();
    queue->busy = true;
    lock.unlock();
    std::exception_ptr error;
    try {
      job->work_();
    } catch (...) {
      error = std::current_exception();
    }
    job->work_ = nullptr;  // what it captured is large
    lock.lock();
    job->error_ = error;
    job->done_ = true;
    queue->busy = false;
    --n_pending_;
    changed_.notify_all();
  }
}

}  // namespace wccl::room
