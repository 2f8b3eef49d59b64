#pragma once

#include <string>
#include <vector>

#include "eval/figures.h"

namespace wccl::eval {

/// One self-contained page: tables, and plots as inline SVG that follow the reader's light or dark
/// theme. Nothing is fetched, nothing is run.
[[nodiscard]] std::string make_report(const std::vector<PointResult>& results);

}  // namespace wccl::eval
