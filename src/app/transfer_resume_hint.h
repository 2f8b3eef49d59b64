#pragma once

#include <filesystem>
#include <system_error>

#include "wccl/result.h"

#include "transfer/manifest.h"

namespace wccl::app {

/// An error of a transfer of which something is kept, with what its user can do.
[[nodiscard]] inline Error with_resume_hint(Error error) {
  const bool goes_on = error.code == ErrorCode::kCancelled || error.code == ErrorCode::kTimeout ||
                       error.code == ErrorCode::kPeerLost;
  if (goes_on) {
    error.message += "; what came is kept: the same command goes on from there";
  } else if (error.code == ErrorCode::kIo) {
    error.message += "; what came is kept";
  }
  return error;
}

/// Whether something of an interrupted transfer lies in a receiver's folder.
[[nodiscard]] inline bool keeps_partial_transfer(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / transfer::kPartialFolder, ignored);
}

/// Of the sender, who keeps nothing and cannot see what the receivers do. A timeout is left as it
/// is: most are of laptops that never met.
[[nodiscard]] inline Error with_sender_hint(Error error) {
  if (error.code == ErrorCode::kCancelled || error.code == ErrorCode::kPeerLost) {
    error.message += "; given again, the same command goes on with what the receivers have";
  }
  return error;
}

}  // namespace wccl::app
