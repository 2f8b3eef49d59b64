#pragma once

#include <array>
#include <cstdint>

#include "link/activity.h"
#include "phy/frame_header.h"

namespace wccl::link {

/// The 32 bits that the frame header carries for the link: they get through where payload does not.
struct Feedback {
  std::uint8_t found = 0;   ///< Bit r: rank r is in view with its colours measured.
  bool calibrated = false;  ///< All peers are found, and each says the same of all of its own.
  /// How the blocks of rank r's latest mode fare here: 0 none decode, 1 under half, 2 under 90%, 3
  /// more.
  std::array<std::uint8_t, phy::kMaxNodes> success{};
  int world_size = 0;  ///< 2 to kMaxNodes; 0: not said.
  Activity activity = Activity::kUnsaid;
  friend bool operator==(const Feedback&, const Feedback&) = default;
};

[[nodiscard]] constexpr std::uint32_t pack_feedback(const Feedback& feedback) {
  std::uint32_t bits = feedback.found | (feedback.calibrated ? 1U << 24 : 0U);
  for (unsigned rank = 0; rank < phy::kMaxNodes; ++rank) {
    bits |= (feedback.success[rank] & 3U) << (8 + 2 * rank);
  }
  if (feedback.world_size > 1) {
    bits |= (static_cast<std::uint32_t>(feedback.world_size - 1) & 7U) << 25;
  }
  return bits | (static_cast<std::uint32_t>(feedback.activity) & 7U) << 28;
}

[[nodiscard]] constexpr Feedback unpack_feedback(std::uint32_t bits) {
  Feedback feedback;
  feedback.found = static_cast<std::uint8_t>(bits);
  feedback.calibrated = ((bits >> 24) & 1U) != 0;
  for (unsigned rank = 0; rank < phy::kMaxNodes; ++rank) {
    feedback.success[rank] = static_cast<std::uint8_t>((bits >> (8 + 2 * rank)) & 3U);
  }
  const auto others = static_cast<int>((bits >> 25) & 7U);
  feedback.world_size = others > 0 ? others + 1 : 0;
  feedback.activity = static_cast<Activity>((bits >> 28) & 7U);
  return feedback;
}

}  // namespace wccl::link
