#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wccl/result.h"

namespace wccl::app {

/// Where this very program lies, whatever name it was started by.
[[nodiscard]] Result<std::string> own_path();

/// Runs this program once for each list of arguments, side by side, and waits for all. The first
/// one keeps our stdout; the others' is closed, so that the output reads as one program's. When one
/// breaks, the rest have a few seconds to notice and say so, and are then asked to stop (SIGTERM).
/// @return the exit status of each, 128 + signal for one that was killed.
[[nodiscard]] Result<std::vector<int>> run_self(
    const std::vector<std::vector<std::string>>& arguments);

/// A TCP port of 127.0.0.1 that is free now.
[[nodiscard]] Result<std::uint16_t> free_port();

}  // namespace wccl::app
