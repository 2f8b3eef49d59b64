#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "device/steady_time.h"

namespace wccl::device {

/// A camera's pictures on their way to whoever watches. Each can be seen from its due time on, as a
/// camera's latency wants it, and until the next one is due: nobody gets a stale one.
class PictureFeed {
 public:
  using TimePoint = SteadyTime::Clock::time_point;

  struct Picture {
    std::uint64_t number = 0;  ///< Counted from 1.
    TimePoint due;
    std::shared_ptr<const std::vector<std::byte>> jpeg;
  };

  /// @param due  Not before the one of the last picture.
  void push(std::vector<std::byte> jpeg, TimePoint due);

  /// Blocks until a picture newer than `after` is due. @return the newest that is; nothing when
  /// none came within `patience`, or after close().
  [[nodiscard]] std::optional<Picture> next(std::uint64_t after, Duration patience) const;

  /// No picture will follow; wakes everybody.
  void close();
  [[nodiscard]] bool closed() const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<Picture> pictures_;  ///< The newest that is due, and those that are not due yet.
  std::uint64_t n_pushed_ = 0;
  bool closed_ = false;
};

}  // namespace wccl::device
