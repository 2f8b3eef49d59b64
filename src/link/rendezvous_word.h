#pragma once

#include <cstdint>

#include "phy/frame_header.h"

namespace wccl::link {

/// The feedback bits of a laptop that has no rank yet (docs/packet_format.md, section 3).
struct RendezvousWord {
  std::uint16_t digest = 0;  ///< Of the identities that it has found, its own included.
  int laptops = 1;           ///< How many these are; at most 15.
  int world_size = 0;        ///< That it was told to wait for, 2 to 8; 0: as the others say.
  bool first = false;        ///< It wants rank 0.
  friend bool operator==(const RendezvousWord&, const RendezvousWord&) = default;
};

[[nodiscard]] constexpr std::uint32_t pack_rendezvous(const RendezvousWord& word) {
  return std::uint32_t{word.digest} | (static_cast<std::uint32_t>(word.laptops) & 15U) << 16U |
         (static_cast<std::uint32_t>(word.world_size) & 15U) << 20U | (word.first ? 1U << 24U : 0U);
}

[[nodiscard]] constexpr RendezvousWord unpack_rendezvous(std::uint32_t bits) {
  RendezvousWord word;
  word.digest = static_cast<std::uint16_t>(bits);
  word.laptops = static_cast<int>((bits >> 16U) & 15U);
  // There is room for more in the bits than in the world.
  const auto size = static_cast<int>((bits >> 20U) & 15U);
  word.world_size = size >= 2 && size <= phy::kMaxNodes ? size : 0;
  word.first = ((bits >> 24U) & 1U) != 0;
  return word;
}

}  // namespace wccl::link
