#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "wccl/result.h"

#include "eval/figures.h"

namespace wccl::eval {

struct RunOptions {
  int jobs = 1;                                              ///< Points measured at a time.
  std::function<bool()> is_cancelled = {};                   ///< From any thread.
  std::function<Status(const PointResult&)> on_result = {};  ///< One at a time, in order.
};

/// Measures points side by side. Each is a room of its own, so results depend on no other, and they
/// are handed over in the order of the points.
/// @return the first error, kCancelled among them; what was handed over before stays.
Status measure_all(const std::vector<Point>& points, const RunOptions& options);

}  // namespace wccl::eval
