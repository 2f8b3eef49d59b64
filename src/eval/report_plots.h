#pragma once

#include <string>
#include <vector>

#include "eval/figures.h"
#include "eval/result_groups.h"

namespace wccl::eval {

// The report's plots as HTML: SVGs side by side. Empty where there is nothing to plot.

[[nodiscard]] std::string plot_delivered(const std::vector<ResultGroup>& groups);
/// Over the first axis, a line a mode, a plot a scene; without an axis over modes, a line a scene.
[[nodiscard]] std::string plot_goodput(const std::vector<PointResult>& results,
                                       const std::vector<ResultGroup>& groups);
/// Over the first two axes, a plot a scene: the best of all modes.
[[nodiscard]] std::string plot_heat(const std::vector<PointResult>& results,
                                    const std::vector<ResultGroup>& groups);
/// Block error rate over SNR, a plot a mode, a line a channel.
[[nodiscard]] std::string plot_waterfalls(const std::vector<PointResult>& results);
/// Of each scene's best setting.
[[nodiscard]] std::string plot_tiles(const std::vector<ResultGroup>& groups);
[[nodiscard]] std::string plot_constellations(const std::vector<ResultGroup>& groups);

}  // namespace wccl::eval
