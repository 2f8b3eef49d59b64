#pragma once

#include <chrono>

namespace wccl {

using Duration = std::chrono::microseconds;

/// The time line of a session: it starts at 0 when the session does. The room and the steady clock
/// both drive it; phy and link only ever receive it as an argument, so this has no now().
struct SessionClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SessionClock, Duration>;
  static constexpr bool is_steady = true;
};
using Instant = SessionClock::time_point;

[[nodiscard]] inline double to_seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}
[[nodiscard]] inline double to_seconds(Instant instant) {
  return to_seconds(instant.time_since_epoch());
}
[[nodiscard]] inline Duration from_seconds(double seconds) {
  return std::chrono::round<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace wccl
