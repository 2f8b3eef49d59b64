#include "link/pacing.h"

#include <algorithm>
#include <cmath>

namespace wccl::link {
namespace {

// A frame that is to be seen clean at least once, whatever the phase, stays for a capture period
// and so much more: an exposure and a panel's settling. Usual cameras expose for less.
constexpr int kCleanRefreshes = 2;
constexpr int kUsualCleanRefreshes = 1;
// Refreshes, and share of the period in use, by which another one must differ to be taken up.
constexpr double kOtherPeriod = 0.6;
constexpr double kOtherPeriodShare = 0.05;
// Of a refresh: periods are measured, and 2.1 refreshes are 2.
constexpr double kPeriodTolerance = 0.25;

}  // namespace

bool Pacing::follow(std::uint8_t peers) {
  Duration slowest{};
  for (std::size_t rank = 0; rank < periods_.size(); ++rank) {
    if (((peers >> rank) & 1U) != 0) {
      // Until a peer has told, its camera is taken to be like this node's.
      slowest = std::max(slowest, periods_[rank].value_or(own_period_));
    }
  }
  slowdown_ = slowdown_of_round_trip(std::max(slowest, own_period_));
  const double period = to_seconds(slowest) / to_seconds(refresh_);
  const int refreshes =
      std::max(kUsualRefreshes, static_cast<int>(std::ceil(period - kPeriodTolerance)));
  if (refreshes == capture_refreshes_ ||
      std::abs(period - capture_refreshes_) <
          kOtherPeriod + kOtherPeriodShare * capture_refreshes_) {
    return false;
  }
  capture_refreshes_ = refreshes;
  return true;
}

int Pacing::refreshes_of(int hold) const {
  if (fixed_hold_) {
    return *fixed_hold_;
  }
  if (hold == kCleanHold) {
    return capture_refreshes_ +
           (capture_refreshes_ == kUsualRefreshes ? kUsualCleanRefreshes : kCleanRefreshes);
  }
  return hold * capture_refreshes_ / 2;
}

Duration Pacing::paced(Duration duration) const {
  return from_seconds(slowdown_ * to_seconds(duration));
}

}  // namespace wccl::link
