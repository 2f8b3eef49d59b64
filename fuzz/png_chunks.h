#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zlib.h>

#include "wccl/transport.h"

namespace wccl::fuzz {

/// The input with the CRC in each chunk of a PNG that it ought to have, as nothing else gets any
/// further.
[[nodiscard]] inline Bytes with_chunk_checks(std::span<const std::byte> input) {
  constexpr std::size_t kSignature = 8;
  constexpr std::size_t kAround = 12;  // length, type and CRC
  Bytes png(input.begin(), input.end());
  for (std::size_t at = kSignature; at + kAround <= png.size();) {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      n = n << 8U | std::to_integer<std::uint32_t>(png[at + i]);
    }
    if (n > png.size() - at - kAround) {
      break;
    }
    const auto* const type = reinterpret_cast<const Bytef*>(png.data() + at + 4);
    const auto check = static_cast<std::uint32_t>(::crc32(0, type, n + 4));
    for (std::size_t i = 0; i < 4; ++i) {
      png[at + 8 + n + i] = static_cast<std::byte>(check >> (24 - 8 * i));
    }
    at += kAround + n;
  }
  return png;
}

}  // namespace wccl::fuzz
