#include "phy/crc.h"

#include <array>

namespace wccl::phy {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc32_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1U) != 0 ? 0xedb88320U : 0U);
    }
    table[byte] = remainder;
  }
  return table;
}

constexpr auto kCrc32Table = make_crc32_table();

}  // namespace

std::uint16_t crc16(std::span<const std::uint8_t> bits) {
  std::uint32_t remainder = 0xffff;
  for (const std::uint8_t bit : bits) {
    const std::uint32_t feedback = ((remainder >> 15) ^ bit) & 1U;
    remainder = ((remainder << 1) ^ (feedback * 0x1021U)) & 0xffffU;
  }
  return static_cast<std::uint16_t>(remainder);
}

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t initial) {
  std::uint32_t remainder = initial;
  for (const std::byte byte : bytes) {
    remainder =
        (remainder >> 8) ^ kCrc32Table[(remainder ^ std::to_integer<std::uint32_t>(byte)) & 0xffU];
  }
  return ~remainder;
}

}  // namespace wccl::phy
