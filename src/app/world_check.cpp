#include "app/world_check.h"

#include <fmt/format.h>

#include "phy/frame_header.h"

namespace wccl::app {

Status check_world(int nodes, std::optional<Rank> rank) {
  if (nodes < 2 || nodes > phy::kMaxNodes) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--nodes must be 2 to {}, not {}", phy::kMaxNodes, nodes));
  }
  if (rank && (*rank < 0 || *rank >= nodes)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("--rank must be 0 to {} for --nodes {}, not {}", nodes - 1, nodes, *rank));
  }
  return {};
}

}  // namespace wccl::app
