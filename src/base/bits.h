#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wccl {

/// One bit an element, 0 or 1: what encoders and interleavers shuffle.
using BitVector = std::vector<std::uint8_t>;

/// Bytes to bits, the highest bit of a byte first.
[[nodiscard]] inline BitVector unpack_bits(std::span<const std::byte> bytes) {
  BitVector bits;
  bits.reserve(bytes.size() * 8);
  for (const std::byte byte : bytes) {
    for (int shift = 7; shift >= 0; --shift) {
      bits.push_back(static_cast<std::uint8_t>((std::to_integer<unsigned>(byte) >> shift) & 1U));
    }
  }
  return bits;
}

/// The inverse of unpack_bits; a last incomplete byte is filled with zero bits.
[[nodiscard]] inline std::vector<std::byte> pack_bits(std::span<const std::uint8_t> bits) {
  std::vector<std::byte> bytes((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] != 0) {
      bytes[i / 8] |= static_cast<std::byte>(0x80U >> (i % 8));
    }
  }
  return bytes;
}

}  // namespace wccl
