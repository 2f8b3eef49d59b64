#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wccl/result.h"

namespace wccl::eval {

/// One parameter and what it is to be, as text.
struct Axis {
  std::string name;
  std::vector<std::string> values;
};

/// Takes `cell=3..8,levels=2,4,fps=10..30:5` apart: NAME=VALUES, joined by commas. Values are
/// single ones, or ranges FIRST..LAST or FIRST..LAST:STEP, whose step is 1 if nothing is said.
/// @return kInvalidArgument saying what is wrong and how it is written.
[[nodiscard]] Result<std::vector<Axis>> parse_sweep(std::string_view text);

}  // namespace wccl::eval
