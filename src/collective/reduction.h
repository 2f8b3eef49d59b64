#pragma once

#include <cstddef>
#include <span>

#include "wccl/communicator.h"

namespace wccl::collective {

/// Reduces element by element, strictly in the order of `parts` (rank 0 first), so that every rank
/// computes the same bits. docs/collectives.md defines each operation for each type.
/// @param parts   At least one; all of the size of `output`, a whole number of elements.
/// @param output  May be one of the parts.
void reduce_in_order(std::span<const std::span<const std::byte>> parts,
                     DataType type,
                     ReduceOp op,
                     std::span<std::byte> output);

}  // namespace wccl::collective
