#pragma once

#include <cstdint>

#include "base/clock.h"

namespace wccl::session {

/// What one stage of a running laptop costs.
struct StageUse {
  const char* name = "";
  std::uint64_t items = 0;  ///< Frames shown, captures decoded.
  Duration cpu{};           ///< Of the stage's own thread.
  Duration slowest{};       ///< Wall time of the slowest item; blanks that are waited for left out.
};

}  // namespace wccl::session
