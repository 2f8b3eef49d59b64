#include "link/capture_pace.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace wccl::link {
namespace {

constexpr double kPeriodsOfRoundTrip = 5;
constexpr Duration kLatencyOfRoundTrip = std::chrono::milliseconds(120);

double round_trip_s(Duration period) {
  return to_seconds(kLatencyOfRoundTrip) + kPeriodsOfRoundTrip * to_seconds(period);
}

}  // namespace

void CapturePace::note(Instant captured_at) {
  captures_.push_back(captured_at);
  if (captures_.size() > kIntervals + 1) {
    captures_.pop_front();
  }
}

Duration CapturePace::period() const {
  std::vector<Duration> intervals;
  for (std::size_t i = 1; i < captures_.size(); ++i) {
    intervals.push_back(captures_[i] - captures_[i - 1]);
  }
  if (intervals.size() < kFewestIntervals) {
    return kUsualCapturePeriod;
  }
  std::ranges::sort(intervals);
  const std::size_t quarter = intervals.size() / 4;
  const std::span middle = std::span(intervals).subspan(quarter, intervals.size() - 2 * quarter);
  return std::accumulate(middle.begin(), middle.end(), Duration{}) /
         static_cast<std::int64_t>(middle.size());
}

double slowdown_of_round_trip(Duration period) {
  return std::max(1.0, round_trip_s(period) / round_trip_s(kUsualCapturePeriod));
}

}  // namespace wccl::link
