#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "wccl/transport.h"

#include "phy/frame_header.h"

namespace wccl::link {

/// The tag of goodbyes; no program's.
inline constexpr Tag kGoodbyeTag = 0xFFFFFFFF;
/// Bytes of a reason that travel.
inline constexpr std::size_t kMostReasonBytes = 200;

/// Why a rank has left before the work was done.
struct Departure {
  /// Who left first: whoever ends because of it passes on what it heard.
  Rank rank = 0;
  std::string reason;  ///< A line for people.

  /// "rank 1 has left: the disk is full".
  [[nodiscard]] std::string text() const;
};

/// A rank's last word to the others (docs/packet_format.md).
struct Goodbye {
  std::optional<Departure> departure;  ///< Nothing: all was done.
  /// Of each rank that it is meant for: one that has started anew since has nothing to do with it.
  std::array<std::uint16_t, phy::kMaxNodes> epochs{};
};

[[nodiscard]] Bytes encode(const Goodbye& goodbye);

/// @param bytes  May be hostile. @return a reason that is fit to be shown.
[[nodiscard]] std::optional<Goodbye> parse_goodbye(std::span<const std::byte> bytes);

}  // namespace wccl::link
