#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/figures.h"

namespace wccl::eval {

/// Results that differ in nothing but seed and phase: what to expect of a setting, whatever the
/// chance of the day.
struct ResultGroup {
  std::vector<const PointResult*> results;
  double goodput_bps = 0;  ///< Mean,
  double least_bps = 0;    ///< and range.
  double most_bps = 0;
  double could_carry_bps = 0;
  double block_error_rate = 0;           ///< Mean.
  const PointResult* slowest = nullptr;  ///< It tells what limits.

  [[nodiscard]] const Point& point() const { return results.front()->point; }
};

/// In the order in which their first result came.
[[nodiscard]] std::vector<ResultGroup> group_results(const std::vector<PointResult>& results);

/// Names of scenes, each once.
[[nodiscard]] std::vector<std::string> scenes_of(const std::vector<ResultGroup>& groups);
/// The fastest of a scene on average. @return null for a scene without results.
[[nodiscard]] const ResultGroup* best_of(const std::vector<ResultGroup>& groups,
                                         const std::string& scene);

/// What was swept with two values or more, but for mode, seed and phase, in the user's order.
[[nodiscard]] std::vector<std::string> swept_axes(const std::vector<PointResult>& results);
/// @return nothing for a point in which the axis has no value.
[[nodiscard]] std::optional<std::string> value_on(const Point& point, const std::string& axis);
/// The values of an axis: by size where all are numbers, else in the order in which they came.
[[nodiscard]] std::vector<std::string> values_on(const std::vector<PointResult>& results,
                                                 const std::string& axis);
[[nodiscard]] std::optional<double> number_of(const std::string& text);

}  // namespace wccl::eval
