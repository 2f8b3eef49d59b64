#pragma once

#include <vector>

namespace wccl::room {

/// How much of a panel pixel's step from one frame to the next an exposure collects: the pixel
/// settles exponentially, 1 - exp(-t / tau) after the step, and the shutter takes the mean over the
/// exposure.
/// @param since_step_ms  From the step to the end of the exposure; below 0 the step is yet to come.
[[nodiscard]] double step_share(double since_step_ms, double exposure_ms, double tau_ms);

/// step_share() as a table for one exposure, for the many rows and columns of a picture.
class StepTable {
 public:
  StepTable(double exposure_ms, double tau_ms);

  [[nodiscard]] float at(float since_step_ms) const {
    const float position = since_step_ms * steps_per_ms_;
    if (position <= 0.0F) {
      return 0.0F;
    }
    if (position >= last_) {
      return 1.0F;
    }
    const auto index = static_cast<std::size_t>(position);
    const float fraction = position - static_cast<float>(index);
    return shares_[index] + fraction * (shares_[index + 1] - shares_[index]);
  }
  /// From then on the step counts as complete.
  [[nodiscard]] double settled_ms() const { return settled_ms_; }

 private:
  double settled_ms_;
  float steps_per_ms_;
  float last_;
  std::vector<float> shares_;
};

}  // namespace wccl::room
