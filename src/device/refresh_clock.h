#pragma once

#include <cstdint>

#include "base/clock.h"

namespace wccl::device {

/// Refreshes of a panel that nobody tells us about: an even grid on the steady clock.
class RefreshClock {
 public:
  RefreshClock(Instant start, double refresh_hz) : start_(start), period_s_(1 / refresh_hz) {}

  [[nodiscard]] Duration period() const { return from_seconds(period_s_); }
  /// The first refresh after `now`.
  [[nodiscard]] Instant next(Instant now) const {
    const auto n = static_cast<std::int64_t>(to_seconds(now - start_) / period_s_) + 1;
    // From the start each time, so that rounding does not add up.
    const Instant refresh = at(n);
    return refresh > now ? refresh : at(n + 1);
  }

 private:
  [[nodiscard]] Instant at(std::int64_t refresh) const {
    return start_ + from_seconds(static_cast<double>(refresh) * period_s_);
  }

  Instant start_;
  double period_s_;
};

}  // namespace wccl::device
