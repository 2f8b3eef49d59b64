#pragma once

#include <algorithm>
#include <cstdlib>
#include <span>
#include <vector>

namespace wccl::phy {

struct Extreme {
  int x = 0;
  int value = 0;
};

/// Alternating local maxima and minima of brightness along a line. They differ by at least 16 grey
/// levels (above noise in the dark, below the contrast of the smallest ring) and by a fifth of the
/// swing before: the rings of one finder are of similar contrast, noise on them is not.
class ZigZag {
 public:
  /// @param value_at  Brightness at 0, 1, ..., n - 1.
  template <class ValueAt>
  void scan(int n, ValueAt value_at) {
    extremes_.clear();
    hysteresis_ = kLeastHysteresis;
    Extreme low{0, value_at(0)};
    Extreme high = low;
    int direction = 0;  // 1: on the way up.
    for (int x = 1; x < n; ++x) {
      const int value = value_at(x);
      if (value > high.value) {
        high = {x, value};
      }
      if (value < low.value) {
        low = {x, value};
      }
      if (direction >= 0 && value < high.value - hysteresis_) {
        push(high);
        direction = -1;
        low = {x, value};
        high = low;
      } else if (direction <= 0 && value > low.value + hysteresis_) {
        push(low);
        direction = 1;
        high = {x, value};
        low = high;
      }
      // While falling only the minimum counts, while rising only the maximum.
      if (direction < 0) {
        high = low;
      }
      if (direction > 0) {
        low = high;
      }
    }
    extremes_.push_back(direction > 0 ? high : low);
  }
  [[nodiscard]] std::span<const Extreme> extremes() const { return extremes_; }

 private:
  static constexpr int kLeastHysteresis = 16;
  static constexpr int kShare = 5;

  void push(const Extreme& extreme) {
    if (!extremes_.empty()) {
      const int swing = std::abs(extreme.value - extremes_.back().value);
      hysteresis_ = std::max(kLeastHysteresis, swing / kShare);
    }
    extremes_.push_back(extreme);
  }

  int hysteresis_ = kLeastHysteresis;
  std::vector<Extreme> extremes_;
};

/// Where the brightness crosses the middle between two neighbouring extremes, between pixel
/// centres.
template <class ValueAt>
double crossing(const Extreme& a, const Extreme& b, ValueAt value_at) {
  const double middle = 0.5 * (a.value + b.value);
  const bool rising = b.value > a.value;
  for (int x = a.x; x < b.x; ++x) {
    const double here = value_at(x);
    const double next = value_at(x + 1);
    if (rising ? (here <= middle && next > middle) : (here >= middle && next < middle)) {
      return x + (middle - here) / (next - here);
    }
  }
  return 0.5 * (a.x + b.x);
}

}  // namespace wccl::phy
