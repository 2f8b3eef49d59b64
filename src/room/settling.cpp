#include "room/settling.h"

#include <algorithm>
#include <cmath>

namespace wccl::room {
namespace {

constexpr double kSettledTaus = 9;    // exp(-9) is an eighth of a step of a 10-bit converter
constexpr std::size_t kSteps = 2048;  // linear interpolation then errs by less than 1e-5

}  // namespace

double step_share(double since_step_ms, double exposure_ms, double tau_ms) {
  if (since_step_ms <= 0) {
    return 0;
  }
  const double from = std::max(since_step_ms - exposure_ms, 0.0);
  const double lit_ms = since_step_ms - from;
  if (tau_ms <= 0) {
    return lit_ms / exposure_ms;
  }
  const double missing = tau_ms * (std::exp(-from / tau_ms) - std::exp(-since_step_ms / tau_ms));
  return (lit_ms - missing) / exposure_ms;
}

StepTable::StepTable(double exposure_ms, double tau_ms)
    : settled_ms_(exposure_ms + kSettledTaus * tau_ms),
      steps_per_ms_(static_cast<float>(kSteps / settled_ms_)),
      last_(static_cast<float>(kSteps)) {
  shares_.reserve(kSteps + 2);
  for (std::size_t i = 0; i <= kSteps + 1; ++i) {
    const double since_ms = settled_ms_ * static_cast<double>(i) / kSteps;
    shares_.push_back(static_cast<float>(step_share(since_ms, exposure_ms, tau_ms)));
  }
}

}  // namespace wccl::room
