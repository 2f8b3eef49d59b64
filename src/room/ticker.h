#pragma once

#include <cmath>
#include <cstdint>

#include "base/clock.h"
#include "base/rng.h"

namespace wccl::room {

/// The clock of a panel or a camera: it ticks from a random phase on, a little fast or slow.
class Ticker {
 public:
  Ticker(double rate_hz, double ppm_spread, Rng rng)
      : period_s_(1 / rate_hz * (1 + 1e-6 * ppm_spread * (2 * rng.uniform() - 1))),
        phase_s_(period_s_ * rng.uniform()) {}

  [[nodiscard]] Instant at(std::int64_t tick) const {
    return Instant(from_seconds(phase_s_ + period_s_ * static_cast<double>(tick)));
  }
  /// The last tick before an instant; below 0 before the first.
  [[nodiscard]] std::int64_t last_before(Instant instant) const {
    return static_cast<std::int64_t>(std::floor((to_seconds(instant) - phase_s_) / period_s_));
  }
  /// Where in a period the ticks are, instead of where chance put them.
  void set_phase(double periods) { phase_s_ = period_s_ * periods; }

 private:
  double period_s_;
  double phase_s_;
};

}  // namespace wccl::room
