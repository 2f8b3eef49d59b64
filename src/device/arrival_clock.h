#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/clock.h"

namespace wccl::device {

/// Brings a device's time stamps onto our time line. Nobody knows how their zeros differ, but
/// pictures arrive late and never early: the least difference seen of late is the best guess.
class ArrivalClock {
 public:
  /// @param stamp    The device's, since whatever it counts from.
  /// @param arrival  When the picture came.
  /// @return when it was taken; never after `arrival`.
  [[nodiscard]] Instant date(Duration stamp, Instant arrival) {
    const Duration difference = arrival.time_since_epoch() - stamp;
    if (!least_ || abs(difference - *least_) > kJump) {
      least_ = least_before_ = difference;  // the first one, or the device's clock was set
      window_start_ = arrival;
    }
    if (arrival - window_start_ > kWindow) {
      least_before_ = least_;
      least_ = difference;
      window_start_ = arrival;
    }
    least_ = std::min(*least_, difference);
    return Instant(stamp + std::min(*least_, *least_before_));
  }

 private:
  /// Clocks drift by some ten microseconds a second: what is older than two windows does not count.
  static constexpr Duration kWindow = std::chrono::seconds(10);
  static constexpr Duration kJump = std::chrono::seconds(2);

  std::optional<Duration> least_;
  std::optional<Duration> least_before_;  ///< In the window before.
  Instant window_start_;
};

}  // namespace wccl::device
