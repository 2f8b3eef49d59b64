#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace wccl::train {

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::span<const std::byte> bytes);

/// SHA-256 of the weights as 32-bit floats, lowest byte first, in order.
[[nodiscard]] std::string weights_sha256(std::span<const float> weights);

}  // namespace wccl::train
