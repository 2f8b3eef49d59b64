#pragma once

#include "wccl/result.h"

#include "app/eval_command.h"

namespace wccl::app {

/// Measures how this laptop and those that it faces read one another: a line a reading, then the
/// best of each link, or one JSON object; results and report in `command.out`, also of a run that
/// ends early.
[[nodiscard]] Status measure_on_devices(const EvalCommand& command);

}  // namespace wccl::app
