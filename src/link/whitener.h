#pragma once

#include <cstddef>
#include <span>

namespace wccl::link {

/// Adds (XOR) a fixed random sequence to a block's payload; once more, and the payload is back.
///
/// Padding and many a tensor are mostly zero, and so is phy's filler, which a receiver knows by its
/// bits: whitened, no block that bears something looks like it.
void whiten(std::span<std::byte> payload);

}  // namespace wccl::link
