#include "app/exit_status.h"

#include <cstdio>

#include <fmt/core.h>

namespace wccl::app {

int report(std::string_view command, const Error& error) {
  fmt::print(stderr, "wccl {}: {}\n", command, error.message);
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
      return kExitUsage;
    case ErrorCode::kCancelled:
      return kExitInterrupted;
    default:
      return kExitError;
  }
}

}  // namespace wccl::app
