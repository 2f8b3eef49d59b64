#pragma once

#include <span>

#include "base/bits.h"
#include "phy/llr.h"

namespace wccl::phy {

/// The most likely input of convolutional_encode (Viterbi 1967), soft, over the whole terminated
/// sequence.
/// @param llrs  [2 * (n_bits + 6)]; positive means bit 0; 0 is an erasure.
/// @return [n_bits], the tail taken off.
[[nodiscard]] BitVector viterbi_decode(std::span<const Llr> llrs);

}  // namespace wccl::phy
