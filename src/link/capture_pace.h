#pragma once

#include <cstddef>
#include <deque>

#include "base/clock.h"

namespace wccl::link {

/// A camera of 30 pictures a second: what is assumed until there is more to go by.
inline constexpr Duration kUsualCapturePeriod{33'333};

/// How often captures come: what a camera and the machine behind it really give.
class CapturePace {
 public:
  void note(Instant captured_at);
  /// The mean of the latest intervals but for the longest and shortest quarter: neither a pause nor
  /// a lost capture moves it.
  [[nodiscard]] Duration period() const;

 private:
  static constexpr std::size_t kIntervals = 12;
  static constexpr std::size_t kFewestIntervals = 3;
  std::deque<Instant> captures_;
};

/// What a round trip takes when the slower of both cameras has this period, against that between
/// usual ones: about five periods, and what does not depend on them.
[[nodiscard]] double slowdown_of_round_trip(Duration period);

}  // namespace wccl::link
