#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "wccl/transport.h"

#include "link/packet.h"
#include "link/range_set.h"
#include "phy/frame_header.h"

namespace wccl::link {

/// Bytes that send() queues before it refuses more.
inline constexpr std::size_t kMaxQueuedBytes = std::size_t{1} << 30;
/// Bytes that may be on their way unacknowledged.
inline constexpr std::size_t kSendWindowBytes = std::size_t{4} << 20;

/// Bytes of messages that went on the air, by why.
struct SentBytes {
  std::uint64_t fresh = 0;     ///< For the first time.
  std::uint64_t again = 0;     ///< Because they were lost.
  std::uint64_t repeated = 0;  ///< Because blocks would have been idle.
};

/// Messages of this node until all their destinations have acknowledged them. Twin of Inbox.
///
/// A range of bytes counts as lost when a receiver is done with the frame that bore it last and
/// still reports it missing: exact, whatever the round trip is. What is neither lost nor new is
/// repeated in blocks that would be idle, because air time is free and a round trip is not.
class Outbox {
 public:
  /// @param destinations  Bit r for rank r; not 0.
  Status queue(std::uint8_t destinations, Tag tag, std::span<const std::byte> message);

  /// @param settled  The latest frame of ours with which `from` is done.
  void on_ack(Rank from, const AckPacket& ack, std::optional<std::uint64_t> settled);
  /// `peer` has started anew: it has nothing of what is under way. What its predecessor had
  /// acknowledged is not sent again.
  void on_restart(Rank peer);
  /// Nothing that is queued goes to `peer`.
  void drop(Rank peer);

  /// What follows goes into the frame with this number.
  void begin_frame(std::uint64_t sequence);
  /// Lost bytes, else new ones, in at most `room` bytes of a block.
  [[nodiscard]] std::optional<DataPacket> next(std::size_t room);
  /// Unacknowledged bytes once more, each at most once in a frame, and only when next() has nothing
  /// left.
  [[nodiscard]] std::optional<DataPacket> repeat(std::size_t room);

  [[nodiscard]] std::uint32_t oldest() const { return base_; }
  /// Bytes that have not been sent even once.
  [[nodiscard]] std::size_t backlog_bytes() const { return backlog_bytes_; }
  [[nodiscard]] const SentBytes& sent_bytes() const { return sent_bytes_; }
  [[nodiscard]] bool all_acknowledged() const { return messages_.empty(); }
  /// Grows with what `from` acknowledges.
  [[nodiscard]] std::uint64_t acknowledged_bytes(Rank from) const {
    return acknowledged_bytes_[static_cast<std::size_t>(from)];
  }
  /// The ranks that have yet to acknowledge something, bit r for rank r.
  [[nodiscard]] std::uint8_t waiting_for() const;

 private:
  struct Message {
    std::uint8_t waiting = 0;    ///< Destinations that have not got all of it.
    Bytes stream;                ///< Head and message.
    std::uint32_t sent_end = 0;  ///< All before it has been sent at least once.
    RangeSet lost;
    std::array<RangeSet, phy::kMaxNodes> received;
  };
  struct Piece {
    std::uint32_t message_id = 0;
    Range range;
  };
  struct SentFrame {
    std::uint64_t sequence = 0;
    std::vector<Piece> pieces;
  };

  [[nodiscard]] std::size_t window_size() const;
  [[nodiscard]] std::vector<RangeSet> in_flight_after(std::uint64_t sequence) const;
  [[nodiscard]] static RangeSet unacknowledged(const Message& message);
  [[nodiscard]] std::size_t unacknowledged_bytes() const;
  Range note_received(Message& message, Rank from, const AckPacket& ack, std::uint32_t id);
  static void note_lost(Message& message, Rank from, Range within, const RangeSet& in_flight);
  std::optional<DataPacket> emit(std::uint32_t message_id, Range range, std::size_t room);
  void collect_repeats();
  void drop_finished();

  std::deque<Message> messages_;  ///< The first one has id base_.
  std::uint32_t base_ = 0;
  std::size_t queued_bytes_ = 0;
  std::array<std::uint64_t, phy::kMaxNodes> acknowledged_bytes_{};
  std::size_t backlog_bytes_ = 0;
  SentBytes sent_bytes_;
  std::size_t window_bytes_ = 0;               ///< As of begin_frame, plus what this frame added.
  std::deque<SentFrame> sent_;                 ///< Oldest first.
  bool next_is_exhausted_ = false;             ///< In this frame nothing is lost or new any more.
  std::optional<std::vector<Piece>> repeats_;  ///< Of this frame, in reverse order of sending.
  Piece repeat_cursor_;                        ///< Where the next frame goes on repeating.
};

}  // namespace wccl::link
