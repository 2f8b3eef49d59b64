#include "device/picture_feed.h"

#include <algorithm>
#include <utility>

namespace wccl::device {

void PictureFeed::push(std::vector<std::byte> jpeg, TimePoint due) {
  {
    const std::lock_guard lock(mutex_);
    const auto now = SteadyTime::Clock::now();
    while (pictures_.size() >= 2 && pictures_[1].due <= now) {
      pictures_.pop_front();
    }
    pictures_.push_back(
        {++n_pushed_, due, std::make_shared<const std::vector<std::byte>>(std::move(jpeg))});
  }
  changed_.notify_all();
}

std::optional<PictureFeed::Picture> PictureFeed::next(std::uint64_t after,
                                                      Duration patience) const {
  const auto deadline = SteadyTime::Clock::now() + patience;
  std::unique_lock lock(mutex_);
  while (!closed_) {
    const auto now = SteadyTime::Clock::now();
    const auto newest = std::find_if(pictures_.rbegin(), pictures_.rend(),
                                     [now](const Picture& picture) { return picture.due <= now; });
    if (newest != pictures_.rend() && newest->number > after) {
      return *newest;
    }
    if (now >= deadline) {
      return std::nullopt;
    }
    // What is not due yet stands behind the newest that is.
    auto wake = deadline;
    if (newest != pictures_.rbegin()) {
      wake = std::min(wake, newest.base()->due);
    }
    changed_.wait_until(lock, wake);
  }
  return std::nullopt;
}

void PictureFeed::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

bool PictureFeed::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

}  // namespace wccl::device
