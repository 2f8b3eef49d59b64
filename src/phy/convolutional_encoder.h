#pragma once

#include <cstdint>
#include <span>

#include "base/bits.h"

namespace wccl::phy {

/// Encodes `bits` and six tail zeros with ConvolutionalCode.
/// @return [2 * (bits.size() + 6)], the output of 133 before that of 171.
[[nodiscard]] BitVector convolutional_encode(std::span<const std::uint8_t> bits);

}  // namespace wccl::phy
