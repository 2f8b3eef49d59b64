#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace wccl::link {

/// The sender's clock as frame headers tell it, modulo 2^16.
[[nodiscard]] inline std::uint16_t transmit_time_ms(Instant now) {
  return static_cast<std::uint16_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count());
}

}  // namespace wccl::link
