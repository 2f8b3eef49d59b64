#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wccl::phy {

/// CRC-16/CCITT-FALSE (polynomial 0x1021, initial 0xffff, not reflected; "123456789" gives 0x29b1)
/// over single bits, because a header is no whole number of bytes.
/// @param bits  One an element, 0 or 1, in transmission order.
[[nodiscard]] std::uint16_t crc16(std::span<const std::uint8_t> bits);

inline constexpr std::uint32_t kCrc32Initial = 0xffffffffU;

/// CRC-32/ISO-HDLC, the one of Ethernet, zlib and PNG (polynomial 0x04c11db7 reflected; "123456789"
/// gives 0xcbf43926).
/// @param initial  Another initial value gives another code word set; block_codec marks filler by
/// it.
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes,
                                  std::uint32_t initial = kCrc32Initial);

}  // namespace wccl::phy
