#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "base/clock.h"
#include "link/outbox.h"
#include "link/peer.h"

namespace wccl::link {

/// Payloads of the blocks of one frame: a status, what has come from each peer, and as much of what
/// waits to be sent as there is room for.
/// @param block_sizes     Of all blocks of the frame, in bytes; not empty.
/// @param capture_period  Of the camera here.
/// @param filled          To the last block, whatever there is to say.
/// @param outbox          Has begun the frame.
/// @return the first blocks'; the others are filler.
[[nodiscard]] std::vector<std::vector<std::byte>> pack_frame(
    std::span<const std::size_t> block_sizes,
    const std::map<Rank, Peer>& peers,
    Duration capture_period,
    bool filled,
    Outbox& outbox);

}  // namespace wccl::link
