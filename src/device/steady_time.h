#pragma once

#include <chrono>

#include "base/clock.h"

namespace wccl::device {

/// The session's time line on the machine's steady clock: 0 is when this was made.
class SteadyTime {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Instant now() const { return at(Clock::now()); }
  [[nodiscard]] Instant at(Clock::time_point time) const {
    return Instant(std::chrono::duration_cast<Duration>(time - start_));
  }
  [[nodiscard]] Clock::time_point steady(Instant instant) const {
    return start_ + instant.time_since_epoch();
  }

 private:
  Clock::time_point start_ = Clock::now();
};

}  // namespace wccl::device
