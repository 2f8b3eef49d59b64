#include "app/frame_prefetch.h"

#include <utility>

#include "app/encode_folder.h"
#include "room/png.h"

namespace wccl::app {
namespace {

constexpr std::size_t kAhead = 4;

}  // namespace

FramePrefetch::FramePrefetch(Source source)
    : source_(std::move(source)), thread_([this] { read_ahead(); }) {}

FramePrefetch::~FramePrefetch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FramePrefetch::read_ahead() {
  while (auto frame = source_()) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || queue_.size() < kAhead; });
    if (stop_) {
      return;
    }
    queue_.push_back(*std::move(frame));
    changed_.notify_all();
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

FramePrefetch::Source frames_of_folder(std::filesystem::path folder,
                                       std::size_t n_frames,
                                       int times) {
  return [folder = std::move(folder), n_frames, times, round = 0,
          frame = std::size_t{0}]() mutable -> std::optional<Result<RgbImage>> {
    if (frame == n_frames) {
      frame = 0;
      ++round;
    }
    if (n_frames == 0 || (times > 0 && round == times)) {
      return std::nullopt;
    }
    return room::read_png(folder / frame_name(frame++));
  };
}

}  // namespace wccl::app
