#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace wccl::session {

/// One of the stages between a change on one screen and the program behind the other one's camera:
/// what it costs, and how long things take to pass it.
struct StageUse {
  const char* name = "";
  std::uint64_t items = 0;  ///< Frames, captures, or times that the program was woken.
  Duration cpu{};           ///< Of the stage's own thread; 0: it has none.
  Duration passing{};       ///< Wall time of all items together.
  Duration slowest{};       ///< Wall time of the slowest item.

  void note(Duration took) {
    ++items;
    passing += took;
    slowest = std::max(slowest, took);
  }
  [[nodiscard]] Duration mean() const {
    return items == 0 ? Duration{} : passing / static_cast<std::int64_t>(items);
  }
};

}  // namespace wccl::session
