#pragma once

#include "wccl/result.h"

namespace wccl::app {

/// An error of a transfer of which something is kept, with what its user can do.
[[nodiscard]] inline Error with_resume_hint(Error error) {
  const bool goes_on = error.code == ErrorCode::kCancelled || error.code == ErrorCode::kTimeout ||
                       error.code == ErrorCode::kPeerLost;
  if (goes_on) {
    error.message += "; what came is kept: the same command goes on from there";
  }
  return error;
}

}  // namespace wccl::app
