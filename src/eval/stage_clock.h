#pragma once

#include <array>
#include <cstddef>

#include "eval/figures.h"
#include "phy/receiver_observer.h"

namespace wccl::eval {

/// CPU time of the calling thread, split by what the receiver says it is doing.
class StageClock {
 public:
  void start();
  void enter(phy::Stage stage);
  void stop();
  void clear() { sums_ms_ = {}; }
  /// @param n_captures  To divide by.
  [[nodiscard]] CpuFigures mean(int n_captures) const;

 private:
  void charge();

  std::array<double, 4> sums_ms_{};
  std::size_t stage_ = 0;
  double since_ms_ = 0;
};

}  // namespace wccl::eval
