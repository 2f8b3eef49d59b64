#include "link/outbox.h"

#include <algorithm>
#include <cassert>

#include "base/bytes.h"
#include "phy/crc.h"

namespace wccl::link {
namespace {

// Frames that can be on their way: at 30 frames/s and a round trip of 0.5 s a quarter of this.
constexpr std::size_t kMaxSentFrames = 64;
// A shorter piece of a longer range is not worth its head.
constexpr std::size_t kMinPieceBytes = 24;

bool is_done(const AckPacket& ack, std::uint32_t id) {
  if (id < ack.floor) {
    return true;
  }
  const std::uint32_t bit = id - ack.floor;
  return bit / 8 < ack.done.size() && ((ack.done[bit / 8] >> (bit % 8)) & 1U) != 0;
}

/// What an ack says of a message: which bytes of `within` have come.
struct Described {
  Range within;
  RangeSet received;
};

/// Of a message that the ack does not list nothing has come, if its place in the list is covered.
bool lists_place_of(const AckPacket& ack, std::uint32_t id) {
  const auto precedes = [id](const PartialMessage& partial) { return partial.message_id < id; };
  const bool after_start = ack.first || std::ranges::any_of(ack.partials, precedes);
  const bool before_end = ack.last || !std::ranges::all_of(ack.partials, precedes);
  return after_start && before_end;
}

Described describe(const AckPacket& ack, std::uint32_t id) {
  const auto it = std::ranges::find(ack.partials, id, &PartialMessage::message_id);
  if (it == ack.partials.end()) {
    return {{0, lists_place_of(ack, id) ? UINT32_MAX : 0}, {}};
  }
  Described described;
  std::uint32_t at = it->start;
  for (const AckRun& run : it->runs) {
    described.received.add({at + run.gap, at + run.gap + run.length});
    at += run.gap + run.length;
  }
  described.within = {it->start, it->complete ? UINT32_MAX : at};
  return described;
}

}  // namespace

Status Outbox::queue(std::uint8_t destinations, Tag tag, std::span<const std::byte> message) {
  assert(destinations != 0);
  if (message.size() > kMaxMessageBytes) {
    return fail(ErrorCode::kInvalidArgument, "message is longer than 256 MiB: send it in parts");
  }
  if (queued_bytes_ + message.size() > kMaxQueuedBytes) {
    return fail(ErrorCode::kInvalidArgument, "more than 1 GiB waits to be sent: flush first");
  }
  ByteWriter stream;
  stream.put(tag);
  stream.put(static_cast<std::uint32_t>(message.size()));
  stream.put(phy::crc32(message));
  stream.put_bytes(message);
  Message& added = messages_.emplace_back();
  added.waiting = destinations;
  added.stream = stream.take();
  queued_bytes_ += added.stream.size();
  backlog_bytes_ += added.stream.size();
  return {};
}

void Outbox::on_ack(Rank from, const AckPacket& ack, std::optional<std::uint64_t> settled) {
  const auto bit = static_cast<std::uint8_t>(1U << from);
  const auto in_flight = settled ? in_flight_after(*settled) : std::vector<RangeSet>{};
  for (std::size_t i = 0; i < window_size(); ++i) {
    Message& message = messages_[i];
    if ((message.waiting & bit) == 0 || message.sent_end == 0) {
      continue;
    }
    const std::uint32_t id = base_ + static_cast<std::uint32_t>(i);
    if (is_done(ack, id)) {
      message.waiting = static_cast<std::uint8_t>(message.waiting & ~bit);
      acknowledged_bytes_[static_cast<std::size_t>(from)] += message.stream.size();
    } else {
      const Range within = note_received(message, from, ack, id);
      if (settled) {
        note_lost(message, from, within, in_flight[i]);
      }
    }
    // What another destination had lost may have come to it meanwhile.
    message.lost.remove(unacknowledged(message).missing({0, message.sent_end}));
  }
  drop_finished();
}

/// @return the bytes of which the ack tells whether they have come.
Range Outbox::note_received(Message& message, Rank from, const AckPacket& ack, std::uint32_t id) {
  const Described described = describe(ack, id);
  RangeSet& received = message.received[static_cast<std::size_t>(from)];
  const std::uint64_t before = received.size();
  received.remove(described.within);
  received.add(described.received);
  const std::uint64_t after = received.size();
  acknowledged_bytes_[static_cast<std::size_t>(from)] += after > before ? after - before : 0;
  return described.within;
}

void Outbox::note_lost(Message& message, Rank from, Range within, const RangeSet& in_flight) {
  const RangeSet& received = message.received[static_cast<std::size_t>(from)];
  RangeSet lost = received.missing({within.begin, std::min(message.sent_end, within.end)});
  lost.remove(in_flight);
  message.lost.add(lost);
}

void Outbox::on_restart(Rank peer) {
  for (Message& message : messages_) {
    message.received[static_cast<std::size_t>(peer)].clear();
  }
}

void Outbox::drop(Rank peer) {
  const auto bit = static_cast<std::uint8_t>(1U << peer);
  for (Message& message : messages_) {
    message.waiting = static_cast<std::uint8_t>(message.waiting & ~bit);
    message.lost.remove(unacknowledged(message).missing({0, message.sent_end}));
  }
  repeats_.reset();
  drop_finished();
}

void Outbox::begin_frame(std::uint64_t sequence) {
  sent_.push_back({sequence, {}});
  if (sent_.size() > kMaxSentFrames) {
    sent_.pop_front();
  }
  repeats_.reset();
  next_is_exhausted_ = false;
  window_bytes_ = unacknowledged_bytes();
}

std::optional<DataPacket> Outbox::next(std::size_t room) {
  for (std::size_t i = 0; i < window_size(); ++i) {
    Message& message = messages_[i];
    const std::uint32_t id = base_ + static_cast<std::uint32_t>(i);
    if (!message.lost.empty()) {
      auto packet = emit(id, message.lost.ranges().front(), room);
      if (packet) {
        const auto n_bytes = static_cast<std::uint32_t>(packet->body.size());
        message.lost.remove({packet->offset, packet->offset + n_bytes});
        sent_bytes_.again += n_bytes;
      }
      return packet;
    }
  }
  for (std::size_t i = 0; i < window_size(); ++i) {
    Message& message = messages_[i];
    const auto stream_end = static_cast<std::uint32_t>(message.stream.size());
    if (message.waiting == 0 || message.sent_end == stream_end) {
      continue;
    }
    if (window_bytes_ >= kSendWindowBytes) {
      break;
    }
    const std::uint32_t id = base_ + static_cast<std::uint32_t>(i);
    auto packet = emit(id, {message.sent_end, stream_end}, room);
    if (packet) {
      message.sent_end += static_cast<std::uint32_t>(packet->body.size());
      backlog_bytes_ -= packet->body.size();
      window_bytes_ += packet->body.size();
      sent_bytes_.fresh += packet->body.size();
    }
    return packet;
  }
  next_is_exhausted_ = true;
  return std::nullopt;
}

std::optional<DataPacket> Outbox::repeat(std::size_t room) {
  if (!next_is_exhausted_) {
    return std::nullopt;
  }
  if (!repeats_) {
    collect_repeats();
  }
  if (repeats_->empty()) {
    return std::nullopt;
  }
  Piece& piece = repeats_->back();
  auto packet = emit(piece.message_id, piece.range, room);
  if (!packet) {
    return std::nullopt;
  }
  piece.range.begin += static_cast<std::uint32_t>(packet->body.size());
  sent_bytes_.repeated += packet->body.size();
  repeat_cursor_ = piece;
  if (piece.range.begin == piece.range.end) {
    repeats_->pop_back();
  }
  return packet;
}

std::uint8_t Outbox::waiting_for() const {
  unsigned mask = 0;
  for (const Message& message : messages_) {
    mask |= message.waiting;
  }
  return static_cast<std::uint8_t>(mask);
}

std::size_t Outbox::window_size() const {
  return std::min<std::size_t>(messages_.size(), kMessageWindow);
}

/// Per message of the window: the bytes in frames after `sequence`.
std::vector<RangeSet> Outbox::in_flight_after(std::uint64_t sequence) const {
  std::vector<RangeSet> in_flight(window_size());
  for (const SentFrame& frame : sent_) {
    if (frame.sequence <= sequence) {
      continue;
    }
    for (const Piece& piece : frame.pieces) {
      if (piece.message_id >= base_) {
        in_flight[piece.message_id - base_].add(piece.range);
      }
    }
  }
  return in_flight;
}

/// Bytes that were sent and that at least one destination has not acknowledged.
RangeSet Outbox::unacknowledged(const Message& message) {
  RangeSet needed;
  for (std::size_t rank = 0; rank < message.received.size(); ++rank) {
    if (((message.waiting >> rank) & 1U) == 0) {
      continue;
    }
    needed.add(message.received[rank].missing({0, message.sent_end}));
  }
  return needed;
}

/// From the first byte that a destination misses: what receivers must be able to hold.
std::size_t Outbox::unacknowledged_bytes() const {
  std::size_t n_bytes = 0;
  for (std::size_t i = 0; i < window_size(); ++i) {
    const Message& message = messages_[i];
    std::uint32_t prefix = message.sent_end;
    for (std::size_t rank = 0; rank < message.received.size(); ++rank) {
      if (((message.waiting >> rank) & 1U) != 0) {
        prefix = std::min(prefix, message.received[rank].prefix());
      }
    }
    n_bytes += message.sent_end - prefix;
  }
  return n_bytes;
}

std::optional<DataPacket> Outbox::emit(std::uint32_t message_id, Range range, std::size_t room) {
  const std::size_t wanted = range.end - range.begin;
  const std::size_t n_bytes = std::min(wanted, max_body_bytes(room, message_id, range.begin));
  if (n_bytes == 0 || (n_bytes < wanted && n_bytes < kMinPieceBytes)) {
    return std::nullopt;
  }
  const Message& message = messages_[message_id - base_];
  const auto end = range.begin + static_cast<std::uint32_t>(n_bytes);
  sent_.back().pieces.push_back({message_id, {range.begin, end}});
  return DataPacket{message.waiting, message_id, range.begin,
                    std::span(message.stream).subspan(range.begin, n_bytes)};
}

void Outbox::collect_repeats() {
  std::vector<Piece> before;
  std::vector<Piece> after;
  const Piece cursor = repeat_cursor_;
  for (std::size_t i = 0; i < window_size(); ++i) {
    const std::uint32_t id = base_ + static_cast<std::uint32_t>(i);
    const RangeSet needed = unacknowledged(messages_[i]);
    for (const Range& range : needed.ranges()) {
      const std::uint32_t turn = id < cursor.message_id   ? range.end
                                 : id > cursor.message_id ? range.begin
                                                          : cursor.range.begin;
      const std::uint32_t split = std::clamp(turn, range.begin, range.end);
      if (split > range.begin) {
        before.push_back({id, {range.begin, split}});
      }
      if (split < range.end) {
        after.push_back({id, {split, range.end}});
      }
    }
  }
  after.insert(after.end(), before.begin(), before.end());
  std::ranges::reverse(after);
  repeats_ = std::move(after);
}

void Outbox::drop_finished() {
  for (Message& message : messages_) {
    if (message.waiting != 0 || message.stream.empty()) {
      continue;
    }
    queued_bytes_ -= message.stream.size();
    backlog_bytes_ -= message.stream.size() - message.sent_end;
    message.sent_end = 0;
    message.stream = {};
    message.lost.clear();
  }
  while (!messages_.empty() && messages_.front().waiting == 0) {
    messages_.pop_front();
    ++base_;
  }
}

}  // namespace wccl::link
