#pragma once

#include <span>
#include <string>

namespace wccl::train {

/// SHA-256 of the weights as 32-bit floats, lowest byte first, in order; 64 lower-case hexadecimal
/// digits.
[[nodiscard]] std::string weights_sha256(std::span<const float> weights);

}  // namespace wccl::train
