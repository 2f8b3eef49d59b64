#include "app/frame_prefetch.h"

#include <utility>

#include "app/encode_folder.h"
#include "room/png.h"

namespace wccl::app {
namespace {

constexpr std::size_t kAhead = 4;

}  // namespace

FramePrefetch::FramePrefetch(std::filesystem::path folder, std::size_t n_frames, int times)
    : folder_(std::move(folder)),
      n_frames_(n_frames),
      times_(times),
      thread_([this] { read_ahead(); }) {}

FramePrefetch::~FramePrefetch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FramePrefetch::read_ahead() {
  for (int round = 0; times_ == 0 || round < times_; ++round) {
    for (std::size_t frame = 0; frame < n_frames_; ++frame) {
      auto picture = room::read_png(folder_ / frame_name(frame));
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stop_ || queue_.size() < kAhead; });
      if (stop_) {
        return;
      }
      queue_.push_back(std::move(picture));
      changed_.notify_all();
    }
  }
  const std::lock_guard lock(mutex_);
  at_end_ = true;
  changed_.notify_all();
}

FramePrefetch::Next FramePrefetch::next() {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) {
    return {at_end_ ? State::kEnd : State::kLate, RgbImage()};
  }
  Next next{State::kReady, std::move(queue_.front())};
  queue_.pop_front();
  changed_.notify_all();
  return next;
}

void FramePrefetch::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return at_end_ || !queue_.empty(); });
}

}  // namespace wccl::app
