#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "phy/mode.h"

namespace wccl::link {

// The packets of docs/packet_format.md. A code block bears one packet after another; each starts
// with its length, and a length of 0 (or the block's end) ends them.

inline constexpr unsigned kPacketVersion = 1;

/// Head of a message's stream: tag, length and CRC-32, four bytes each. The message follows.
inline constexpr std::uint32_t kMessageHeadBytes = 12;
/// Longest message: offsets of its stream stay below 2^28 and thus within four bytes.
inline constexpr std::size_t kMaxMessageBytes = (std::size_t{1} << 28) - 1 - kMessageHeadBytes;
/// Message ids that may be under way at once, from the sender's oldest unfinished one.
inline constexpr std::uint32_t kMessageWindow = 128;

/// A piece of a message's stream.
struct DataPacket {
  std::uint8_t destinations = 0;  ///< Bit r: for rank r.
  std::uint32_t message_id = 0;   ///< Counts the sender's messages.
  std::uint32_t offset = 0;       ///< Of the first byte of `body` in the stream.
  std::span<const std::byte> body;
};

/// What a sender says of itself.
struct StatusPacket {
  std::uint32_t oldest_message = 0;  ///< All with smaller ids have reached their destinations.
  std::uint16_t blocks_used =
      0;  ///< Blocks of this frame that bear packets: what a receiver can miss.
};

/// A run of received bytes: `gap` bytes are missing before its `length`.
struct AckRun {
  std::uint32_t gap = 0;
  std::uint32_t length = 0;
  friend bool operator==(const AckRun&, const AckRun&) = default;
};

/// What has come of a message that is not whole, from offset `start` of its stream on.
struct PartialMessage {
  std::uint32_t message_id = 0;
  std::uint32_t start = 0;
  bool complete =
      true;  ///< Nothing has come after the last run; else nothing is said of what follows it.
  std::vector<AckRun> runs;
  friend bool operator==(const PartialMessage&, const PartialMessage&) = default;
};

/// What came of one frame.
struct FrameReport {
  std::uint16_t blocks_ok = 0;  ///< That decoded, filler left out.
  std::uint8_t purity = 0;      ///< As purity_class() has it.
  friend bool operator==(const FrameReport&, const FrameReport&) = default;
};

/// 1 to 7 for a frame that made up half or less, to all, of the light of its best capture; 0 means
/// that this is not known.
[[nodiscard]] std::uint8_t purity_class(double share);
/// The share in the middle of a class above 0; 1 for the last.
[[nodiscard]] double share_of_purity(std::uint8_t purity);

/// Capture periods travel in this unit.
inline constexpr Duration kPeriodUnit = std::chrono::milliseconds(4);

/// SNRs travel in quarters of a dB from here on.
inline constexpr double kLeastSnrDb = -16;

/// What its sender has received from one peer. A long list of partial messages is spread over
/// several packets, in the order of ids and offsets.
struct AckPacket {
  std::uint8_t peer = 0;
  std::uint16_t epoch = 0;               ///< The peer's, as heard.
  std::optional<std::uint16_t> settled;  ///< Frames up to this sequence can bring nothing new.
  phy::ModeId quality_mode = 0;          ///< The mode in which the next figures were measured.
  std::array<std::uint8_t, 3> snr{};     ///< Quarters of a dB above kLeastSnrDb, per channel.
  std::uint8_t cell_px = 0;              ///< Cell in camera pixels, in eighths.
  std::uint8_t capture_period = 0;       ///< Of its camera, in units of 4 ms; 0: not known.
  /// Of the frame `settled` and those before it, latest first; at most kMaxFrameReports.
  std::vector<FrameReport> frames;
  std::uint32_t floor = 0;         ///< All messages with smaller ids are finished here.
  std::vector<std::uint8_t> done;  ///< Bit i of byte k: message floor + 8 k + i is finished.
  bool first = true;               ///< No packet lists partial messages before these.
  bool last = true;                ///< No packet lists any after them.
  std::vector<PartialMessage> partials;
};
inline constexpr std::size_t kMaxFrameReports = 8;

/// Nothing to say: fills blocks by which receivers measure a mode.
struct ProbePacket {};

using Packet = std::variant<DataPacket, StatusPacket, AckPacket, ProbePacket>;

/// The packets of one block and how many could not be read (another version, sealed, malformed).
struct ParsedBlock {
  std::vector<Packet> packets;  ///< Data bodies borrow from the block.
  int n_rejected = 0;
};

/// Reads a block that may hold anything at all.
[[nodiscard]] ParsedBlock parse_block(std::span<const std::byte> block);

/// Bytes of a varint (LEB128: seven bits a byte, lowest first).
[[nodiscard]] std::size_t varint_bytes(std::uint32_t value);

/// The packet with its length in front, as it stands in a block.
[[nodiscard]] std::vector<std::byte> encode_packet(const Packet& packet);

/// The longest body of a DataPacket that fits in `room` bytes of a block; 0 when none does.
[[nodiscard]] std::size_t max_body_bytes(std::size_t room,
                                         std::uint32_t message_id,
                                         std::uint32_t offset);

}  // namespace wccl::link
