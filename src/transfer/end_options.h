#pragma once

#include <cstdint>

#include "base/clock.h"

namespace wccl::transfer {

/// What Sender and Receiver need to know alike.
struct EndOptions {
  Duration timeout = std::chrono::seconds(30);  ///< How long a peer may bring nothing.
  std::uint64_t incarnation = 0;                ///< Random: it tells a restarted program.
};

}  // namespace wccl::transfer
