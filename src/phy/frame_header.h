#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/bits.h"
#include "phy/llr.h"
#include "phy/mode.h"

namespace wccl::phy {

struct PanelSize {
  int width_px = 0;
  int height_px = 0;
  friend bool operator==(const PanelSize&, const PanelSize&) = default;
};

inline constexpr std::uint8_t kFrameVersion = 2;
inline constexpr int kMaxNodes = 8;
/// Shown by a laptop that has no number yet: several such screens in one capture are told apart by
/// their epochs.
inline constexpr std::uint8_t kUnnumberedNode = 8;

/// What every frame says of itself, twice, in big cells: enough to read it without any setting.
struct FrameHeader {
  std::uint8_t version = kFrameVersion;  ///< 4 bits.
  std::uint8_t node = 0;                 ///< 4 bits: which screen this is; or kUnnumberedNode.
  std::uint16_t epoch = 0;               ///< Session of the sender: a restarted sender has another.
  std::uint16_t sequence = 0;            ///< Counts displayed frames, modulo 2^16.
  PanelSize panel;                       ///< 12 bits each.
  ModeId mode = 0;
  std::uint16_t transmit_time_ms =
      0;  ///< Sender's clock when the frame was handed to the panel, modulo 2^16.
  std::uint32_t feedback = 0;  ///< For the link layer: it survives where payload does not.

  friend bool operator==(const FrameHeader&, const FrameHeader&) = default;
};

/// Header bits, CRC-16 and a terminated convolutional code (K = 7, 133/171 octal, rate 1/2).
inline constexpr int kHeaderCodedBits = 292;

/// @return [kHeaderCodedBits] coded bits in transmission order.
[[nodiscard]] BitVector encode_header(const FrameHeader& header);

/// What coded header bits turn out to be; nothing when the CRC fails or the fields contradict each
/// other (unknown mode, panel of size 0).
struct DecodedHeader {
  std::optional<FrameHeader> header;
  std::optional<std::uint8_t> foreign_version;  ///< The CRC holds, but the version is not ours.
};

/// Soft Viterbi decoding.
/// @param llrs  [kHeaderCodedBits]; positive means bit 0.
[[nodiscard]] DecodedHeader decode_header_of_any_version(std::span<const Llr> llrs);
/// Likewise, of our version only.
[[nodiscard]] std::optional<FrameHeader> decode_header(std::span<const Llr> llrs);

}  // namespace wccl::phy
