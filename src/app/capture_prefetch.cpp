#include "app/capture_prefetch.h"

#include <utility>

namespace wccl::app {
namespace {

constexpr std::size_t kAhead = 3;

}  // namespace

CapturePrefetch::CapturePrefetch(std::unique_ptr<device::CaptureSource> source)
    : source_(std::move(source)), count_(source_->count()), thread_([this] { read_ahead(); }) {}

CapturePrefetch::~CapturePrefetch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CapturePrefetch::read_ahead() {
  bool ended = false;
  while (!ended) {
    auto picture = source_->next();
    ended = !picture.has_value();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || queue_.size() < kAhead; });
    if (stop_) {
      return;
    }
    queue_.push_back(std::move(picture));
    changed_.notify_all();
  }
}

std::optional<Result<YuvImage>> CapturePrefetch::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !queue_.empty(); });
  if (!queue_.front()) {
    return std::nullopt;  // the end stays in the queue
  }
  auto picture = std::move(queue_.front());
  queue_.pop_front();
  changed_.notify_all();
  return picture;
}

}  // namespace wccl::app
