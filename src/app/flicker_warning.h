#pragma once

#include <string_view>

#include "wccl/result.h"

namespace wccl::app {

/// Says on stderr, once a run, that the screen is about to flicker and whom that may harm; on a
/// terminal it then waits some seconds. Call it before the first frame on a real screen.
/// @param gentle  The user asked for --gentle, which does no harm: nothing is said.
/// @return kCancelled when the user pressed Ctrl-C meanwhile.
[[nodiscard]] Status warn_of_flicker(std::string_view command, bool gentle);

}  // namespace wccl::app
