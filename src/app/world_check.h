#pragma once

#include <optional>

#include "wccl/result.h"
#include "wccl/transport.h"

namespace wccl::app {

/// What --nodes and --rank say. @return kInvalidArgument, naming the one that cannot be.
[[nodiscard]] Status check_world(int nodes, std::optional<Rank> rank);

}  // namespace wccl::app
