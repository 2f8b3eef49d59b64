#pragma once

#include <cstdint>
#include <string_view>

namespace wccl::link {

/// What a laptop's program is there for, as its frames say it (three bits).
enum class Activity : std::uint8_t { kUnsaid, kAim, kTrain, kTransfer, kMeasure };

/// One that aims is seen by all, and takes part in nothing but other aiming.
[[nodiscard]] constexpr bool work_together(Activity a, Activity b) {
  return a == b || a == Activity::kUnsaid || b == Activity::kUnsaid;
}

/// What a user types for it.
[[nodiscard]] constexpr std::string_view command_of(Activity activity) {
  switch (activity) {
    case Activity::kAim:
      return "`wccl calibrate`";
    case Activity::kTrain:
      return "`wccl train`";
    case Activity::kTransfer:
      return "`wccl send` or `wccl receive`";
    case Activity::kMeasure:
      return "`wccl eval`";
    case Activity::kUnsaid:
      break;
  }
  return "another command";
}

}  // namespace wccl::link
