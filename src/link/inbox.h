#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "wccl/transport.h"

#include "link/packet.h"
#include "link/range_set.h"

namespace wccl::link {

/// Bytes past the first missing one that a message may reach: what a hostile offset can make us
/// hold.
inline constexpr std::size_t kReceiveWindowBytes = 2 * (std::size_t{4} << 20);
/// Bytes of whole messages that nobody has taken; then fragments are refused until somebody does.
inline constexpr std::size_t kMaxUntakenBytes = std::size_t{1} << 29;
/// The same for their number: empty ones cost memory too.
inline constexpr std::uint32_t kMaxUntakenMessages = std::uint32_t{1} << 18;

/// Messages from one peer on their way in. Twin of Outbox: whole, verified, once.
class Inbox {
 public:
  explicit Inbox(Rank self) : self_(self) {}
  /// An empty inbox that goes on with the counts: for a peer that has started anew.
  [[nodiscard]] Inbox restarted() const;

  void on_status(const StatusPacket& status);
  void on_data(const DataPacket& data);

  /// The first whole message with this tag; it is gone here then.
  [[nodiscard]] std::optional<Bytes> take(Tag tag);
  /// The same, but it stays; null when there is none.
  [[nodiscard]] const Bytes* find(Tag tag) const;

  /// Writes floor and done.
  void describe(AckPacket& ack) const;
  /// Where a list of partial messages goes on.
  struct Position {
    std::uint32_t message_id = 0;
    std::uint32_t offset = 0;
  };
  /// Lists partial messages from `at` on in at most `budget` bytes, and moves `at` behind them.
  /// @return whether that was the last of them.
  bool describe_partials(AckPacket& ack, Position& at, std::size_t budget) const;

  [[nodiscard]] std::uint64_t message_bytes() const { return message_bytes_; }
  /// Bytes of streams that came for the first time.
  [[nodiscard]] std::uint64_t new_bytes() const { return new_bytes_; }
  /// Messages whose bytes were all there and whose CRC-32 did not hold, or that contradicted
  /// themselves.
  [[nodiscard]] std::uint64_t corrupt_messages() const { return corrupt_messages_; }

 private:
  struct Assembly {
    Bytes stream;
    RangeSet received;
  };

  [[nodiscard]] bool accepts(const DataPacket& data) const;
  void finish_if_whole(std::uint32_t message_id);
  void discard(std::uint32_t message_id);
  void mark_done(std::uint32_t message_id);
  void advance_floor();

  Rank self_;
  std::uint32_t floor_ = 0;       ///< All messages with smaller ids are finished.
  std::set<std::uint32_t> done_;  ///< Finished ones from floor_ on.
  std::map<std::uint32_t, Assembly> assemblies_;
  std::size_t assembly_bytes_ = 0;
  std::map<Tag, std::map<std::uint32_t, Bytes>>
      untaken_;  ///< By tag, then in the order of sending.
  std::size_t untaken_bytes_ = 0;
  std::uint32_t untaken_messages_ = 0;
  std::uint64_t message_bytes_ = 0;
  std::uint64_t new_bytes_ = 0;
  std::uint64_t corrupt_messages_ = 0;
};

}  // namespace wccl::link
