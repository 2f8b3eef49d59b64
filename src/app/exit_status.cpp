#include "app/exit_status.h"

#include <cstdio>

#include <fmt/core.h>

#include "app/print.h"

namespace wccl::app {

int report(std::string_view command, const Error& error) {
  app::print(stderr, "wccl {}: {}\n", command, error.message);
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
