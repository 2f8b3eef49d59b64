#include "link/endpoint.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string>

#include "link/file_stream.h"
#include "link/frame_packing.h"
#include "link/packet.h"
#include "link/transmit_time.h"

namespace wccl::link {
namespace {

// A frame header as it counts for bytes_on_air: kHeaderCodedBits at rate 1/2.
constexpr std::size_t kHeaderBytes = phy::kHeaderCodedBits / 2 / 8;
// So long after a peer's last message bytes it may want to know what has come.
constexpr Duration kAnswersDue = std::chrono::seconds(1);
// A laptop that is there for something else may be about to end that.
constexpr Duration kUnlikeForLong = std::chrono::seconds(5);

/// Frames of laptops without a rank, and of one-way file streams: no peer's.
bool is_alien(const phy::FrameHeader& header) {
  return header.node == phy::kUnnumberedNode || file_stream_of(header).has_value();
}

std::vector<std::vector<std::size_t>> sizes_of_modes(std::size_t n_modes,
                                                     const Endpoint::BlockSizes& block_sizes) {
  std::vector<std::vector<std::size_t>> sizes;
  for (std::size_t mode = 0; mode < n_modes; ++mode) {
    sizes.push_back(block_sizes(static_cast<phy::ModeId>(mode)));
  }
  return sizes;
}

/// Payload of a frame in each mode that may be used; 0 for the others.
std::vector<std::size_t> bytes_of_modes(const std::vector<std::vector<std::size_t>>& block_sizes,
                                        std::optional<phy::ModeId> only) {
  std::vector<std::size_t> bytes(block_sizes.size());
  for (std::size_t mode = 0; mode < bytes.size(); ++mode) {
    if (!only || *only == mode) {
      bytes[mode] =
          std::accumulate(block_sizes[mode].begin(), block_sizes[mode].end(), std::size_t{0});
    }
  }
  return bytes;
}

}  // namespace

Endpoint::Endpoint(NodeOptions options,
                   std::span<const phy::Mode> ladder,
                   const BlockSizes& block_sizes)
    : options_(options),
      ladder_(ladder),
      block_sizes_(sizes_of_modes(ladder.size(), block_sizes)),
      rate_(ladder,
            bytes_of_modes(block_sizes_, options_.mode),
            options_.refresh,
            options_.hold_refreshes) {
  assert(options_.world_size >= 1 && options_.world_size <= phy::kMaxNodes);
  assert(options_.rank >= 0 && options_.rank < options_.world_size);
  assert(!options_.mode || !block_sizes_.at(*options_.mode).empty());
  for (Rank rank = 0; rank < options_.world_size; ++rank) {
    if (rank == options_.rank) {
      continue;
    }
    peers_.emplace(rank,
                   Peer{PeerView(options_.peer_timeout), Inbox(options_.rank), 0, 0, {}, {}, {}});
  }
}

void Endpoint::on_reception(const phy::CaptureReception& reception, Instant now) {
  pace_.note(reception.captured_at);
  rate_.on_capture_period(pace_.period());
  foreign_versions_.note(reception.foreign_versions, now);
  for (const phy::ScreenReception& screen : reception.screens) {
    on_screen(screen, now);
  }
  std::erase_if(seekers_,
                [&](const auto& entry) { return now - entry.second > options_.peer_timeout; });
  for (auto& [rank, peer] : peers_) {
    peer.view.update(now);
  }
}

std::optional<OutgoingFrame> Endpoint::next_frame(Instant now) {
  for (auto& [rank, peer] : peers_) {
    peer.view.update(now);
  }
  const std::uint64_t refresh = refreshes_++;
  if (refresh < next_frame_) {
    return std::nullopt;
  }
  const RateControl::Choice choice = rate_.choose(demand(now), sequence_, refresh, now);
  next_frame_ = refresh + static_cast<std::uint64_t>(choice.refreshes);
  outbox_.begin_frame(sequence_);
  OutgoingFrame frame{make_header(choice.mode, now),
                      pack_frame(block_sizes_[choice.mode], peers_, pace_.period(),
                                 choice.probe || filled_, outbox_)};
  rate_.note_sent(static_cast<int>(frame.payloads.size()));
  bytes_on_air_ += kHeaderBytes;
  for (const auto& payload : frame.payloads) {
    bytes_on_air_ += payload.size();
  }
  ++sequence_;
  return frame;
}

void Endpoint::fix(const FixedSending& sending) {
  assert(!sending.mode || !block_sizes_.at(*sending.mode).empty());
  rate_ = RateControl(ladder_, bytes_of_modes(block_sizes_, sending.mode), options_.refresh,
                      sending.hold_refreshes);
  filled_ = sending.filled;
}

Status Endpoint::send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) {
  if (tag == kGoodbyeTag) {
    return fail(ErrorCode::kInvalidArgument, "the last tag is that of goodbyes: choose another");
  }
  return queue(to, tag, message);
}

Status Endpoint::queue(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) {
  unsigned destinations = 0;
  for (const Rank rank : to) {
    if (!is_peer(rank)) {
      return fail(ErrorCode::kInvalidArgument,
                  "cannot send to rank " + std::to_string(rank) + ": it is no peer of rank " +
                      std::to_string(options_.rank) + " in a world of " +
                      std::to_string(options_.world_size));
    }
    destinations |= 1U << rank;
  }
  if (destinations == 0) {
    return {};
  }
  return outbox_.queue(static_cast<std::uint8_t>(destinations), tag, message);
}

std::optional<Bytes> Endpoint::try_receive(Rank from, Tag tag) {
  if (!is_peer(from) || tag == kGoodbyeTag) {
    return std::nullopt;
  }
  return peer(from).inbox.take(tag);
}

Status Endpoint::say_goodbye(std::span<const Rank> to, const std::optional<Departure>& departure) {
  Goodbye goodbye{departure, {}};
  for (const auto& [rank, peer] : peers_) {
    goodbye.epochs[static_cast<std::size_t>(rank)] = peer.view.epoch().value_or(0);
    if (departure) {
      // Nobody is going to make use of what else waits, and it must not hold up this.
      outbox_.drop(rank);
    }
  }
  return queue(to, kGoodbyeTag, encode(goodbye));
}

std::optional<Departure> Endpoint::departure(Rank rank) const {
  auto goodbye = goodbye_of(rank);
  if (!goodbye || !goodbye->departure) {
    return std::nullopt;
  }
  if (!is_peer(goodbye->departure->rank)) {
    goodbye->departure->rank = rank;
  }
  return std::move(goodbye->departure);
}

/// What the peer's program of now has said to this one.
std::optional<Goodbye> Endpoint::goodbye_of(Rank rank) const {
  const auto it = peers_.find(rank);
  const Bytes* const bytes = it == peers_.end() ? nullptr : it->second.inbox.find(kGoodbyeTag);
  auto goodbye = bytes == nullptr ? std::nullopt : parse_goodbye(*bytes);
  if (goodbye && goodbye->departure &&
      goodbye->epochs[static_cast<std::size_t>(options_.rank)] != options_.epoch) {
    return std::nullopt;
  }
  return goodbye;
}

std::vector<Rank> Endpoint::unacknowledged_by() const {
  std::vector<Rank> ranks;
  for (const auto& [rank, peer] : peers_) {
    if (((outbox_.waiting_for() >> rank) & 1U) != 0) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

std::uint64_t Endpoint::progress(Rank rank) const {
  const auto it = peers_.find(rank);
  if (it == peers_.end()) {
    return 0;
  }
  return it->second.inbox.new_bytes() + outbox_.acknowledged_bytes(rank);
}

std::size_t Endpoint::frame_bytes() const {
  const auto& blocks = block_sizes_[rate_.mode()];
  return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0});
}

bool Endpoint::calibrated() const {
  return std::ranges::all_of(peers_, [this](const auto& entry) {
    const auto& [rank, peer] = entry;
    const std::uint8_t expected = all_but(rank);
    const bool is_one_of_us = works_with(peer) || options_.activity == Activity::kAim;
    return peer.view.found() && is_one_of_us &&
           (unpack_feedback(peer.view.feedback()).found & expected) == expected;
  });
}

std::vector<Rank> Endpoint::lost_peers(Instant now) const {
  std::vector<Rank> lost;
  for (const auto& [rank, peer] : peers_) {
    if (!peer.view.found() || peer.view.unseen_for_long(now)) {
      lost.push_back(rank);
    }
  }
  return lost;
}

std::uint64_t Endpoint::incarnation(Rank rank) const {
  const auto it = peers_.find(rank);
  return it == peers_.end() ? 0 : it->second.view.epochs_heard();
}

void Endpoint::drop_queued(Rank rank) {
  if (is_peer(rank)) {
    outbox_.drop(rank);
  }
}

std::string Endpoint::complaint(Instant now) const {
  const std::vector<Rank> doubles = conflicts(now);
  if (!doubles.empty()) {
    const std::string rank = std::to_string(doubles.front());
    return doubles.front() == options_.rank
               ? "another laptop shows rank " + rank + " too: start one of them with another --rank"
               : "two laptops show rank " + rank + ": start one of them with another --rank";
  }
  for (const auto& [rank, peer] : peers_) {
    const int size = unpack_feedback(peer.view.feedback()).world_size;
    if (peer.view.heard() && size != 0 && size != options_.world_size) {
      return "rank " + std::to_string(rank) + " was started for " + std::to_string(size) +
             " laptops, this one for " + std::to_string(options_.world_size) +
             ": start all with the same --nodes";
    }
    if (peer.unlike_since && peer.view.found() && now - *peer.unlike_since > kUnlikeForLong &&
        options_.activity != Activity::kAim && peer.activity() != Activity::kAim) {
      return "rank " + std::to_string(rank) + " runs " + std::string(command_of(peer.activity())) +
             ", this laptop " + std::string(command_of(options_.activity)) +
             ": end one of them, and start the command that fits the other";
    }
  }
  return foreign_versions_.complaint(now);
}

std::vector<std::uint16_t> Endpoint::seekers(Instant now) const {
  std::vector<std::uint16_t> identities;
  for (const auto& [identity, last] : seekers_) {
    if (now - last <= options_.peer_timeout) {
      identities.push_back(identity);
    }
  }
  return identities;
}

std::vector<LinkStats> Endpoint::stats() const {
  std::vector<LinkStats> stats;
  for (const auto& [rank, peer] : peers_) {
    stats.push_back({rank, peer.view.frames(), peer.blocks_ok, peer.blocks_bad,
                     peer.inbox.message_bytes(), peer.view.relocks(), peer.view.quality(),
                     peer.view.found(), peer.view.mode(), peer.activity()});
  }
  return stats;
}

bool Endpoint::is_peer(int rank) const {
  return peers_.contains(rank);
}

void Endpoint::on_screen(const phy::ScreenReception& screen, Instant now) {
  if (screen.node == phy::kUnnumberedNode && !screen.frames.empty()) {
    seekers_[screen.epoch] = now;
  }
  if (screen.node < phy::kMaxNodes && !screen.frames.empty() &&
      !is_alien(screen.frames.back().header)) {
    rank_conflicts_.note(screen.node, screen.epoch, now);
  }
  // A screen of our own number is a mirror or a conflict, one outside the world a stranger's.
  if (!is_peer(screen.node)) {
    return;
  }
  for (const phy::FrameReception& frame : screen.frames) {
    if (frame.header.node == screen.node && !is_alien(frame.header)) {
      on_frame(screen.node, frame, now);
    }
  }
  Peer& from = peer(screen.node);
  from.blocks_bad += static_cast<std::uint64_t>(std::max(screen.blocks_bad, 0));
  from.view.on_screen(screen, pace_.period(), now);
  if (from.view.quality_mode() < block_sizes_.size()) {
    const phy::ScreenQuality& quality = from.view.quality();
    rate_.on_view(screen.node, {from.view.quality_mode(), quality.snr_db, quality.cell_px}, now);
  }
  rate_.on_feedback(
      screen.node,
      unpack_feedback(from.view.feedback()).success[static_cast<std::size_t>(options_.rank)], now);
}

void Endpoint::on_frame(Rank from, const phy::FrameReception& frame, Instant now) {
  Peer& sender = peer(from);
  // By now the counter may have gone round.
  if (sender.view.unseen_for_long(now)) {
    sender.acked_in.reset();
  }
  const auto verdict = sender.view.on_frame(frame, now);
  if (verdict == PeerView::FrameVerdict::kDropped) {
    return;
  }
  if (verdict == PeerView::FrameVerdict::kRestarted) {
    sender.inbox = sender.inbox.restarted();
    sender.acked_in.reset();
    outbox_.on_restart(from);
  }
  sender.blocks_ok += frame.blocks.size();
  if (!works_with(sender)) {
    sender.unlike_since = sender.unlike_since.value_or(now);
    return;
  }
  sender.unlike_since.reset();
  for (const phy::ReceivedBlock& block : frame.blocks) {
    on_block(from, frame.header.sequence, block.payload, now);
  }
}

void Endpoint::on_block(Rank from,
                        std::uint16_t sequence,
                        std::span<const std::byte> block,
                        Instant now) {
  Peer& sender = peer(from);
  const ParsedBlock parsed = parse_block(block);
  rejected_packets_ += static_cast<std::uint64_t>(parsed.n_rejected);
  for (const Packet& packet : parsed.packets) {
    if (const auto* data = std::get_if<DataPacket>(&packet)) {
      sender.inbox.on_data(*data);
      sender.data_at = now;
    } else if (const auto* status = std::get_if<StatusPacket>(&packet)) {
      sender.inbox.on_status(*status);
      sender.view.on_blocks_used(sequence, status->blocks_used);
    } else if (const auto* ack = std::get_if<AckPacket>(&packet)) {
      on_ack(from, sequence, *ack, now);
    }
  }
}

void Endpoint::on_ack(Rank from, std::uint16_t sequence, const AckPacket& ack, Instant now) {
  if (ack.peer != options_.rank || ack.epoch != options_.epoch) {
    return;
  }
  Peer& sender = peer(from);
  if (sender.acked_in && sequence_distance(*sender.acked_in, sequence) < 0) {
    return;
  }
  sender.acked_in = sequence;
  std::optional<std::uint64_t> settled;
  if (ack.settled && sequence_ > 0) {
    const std::uint64_t latest = sequence_ - 1;
    const int age = sequence_distance(*ack.settled, static_cast<std::uint16_t>(latest));
    if (age >= 0 && static_cast<std::uint64_t>(age) <= latest) {
      settled = latest - static_cast<std::uint64_t>(age);
    }
  }
  outbox_.on_ack(from, ack, settled);
  rate_.on_ack(from, ack, settled, now);
}

phy::FrameHeader Endpoint::make_header(phy::ModeId mode, Instant now) const {
  Feedback feedback;
  feedback.found = found_peers();
  feedback.calibrated = calibrated();
  feedback.world_size = options_.world_size;
  feedback.activity = options_.activity;
  for (const auto& [rank, peer] : peers_) {
    feedback.success[static_cast<std::size_t>(rank)] =
        static_cast<std::uint8_t>(peer.view.success_class(now, pace_.period()));
  }
  phy::FrameHeader header;
  header.node = static_cast<std::uint8_t>(options_.rank);
  header.epoch = options_.epoch;
  header.sequence = static_cast<std::uint16_t>(sequence_);
  header.panel = options_.panel;
  header.mode = mode;
  header.transmit_time_ms = transmit_time_ms(now);
  header.feedback = pack_feedback(feedback);
  return header;
}

/// Frames are for those who wait for messages of ours, or for acknowledgements of theirs: two fast
/// laptops need not wait for a third one's slow camera.
RateControl::Demand Endpoint::demand(Instant now) const {
  const unsigned found = found_peers();
  unsigned readers = outbox_.waiting_for();
  for (const auto& [rank, peer] : peers_) {
    readers |= peer.data_at && now - *peer.data_at < kAnswersDue ? 1U << rank : 0U;
  }
  readers &= found;
  if (readers == 0 || !calibrated()) {
    readers = found;
  }
  return {static_cast<std::uint8_t>(readers), outbox_.all_acknowledged(), outbox_.backlog_bytes(),
          static_cast<std::uint8_t>(found & ~readers)};
}

std::uint8_t Endpoint::found_peers() const {
  unsigned mask = 0;
  for (const auto& [rank, peer] : peers_) {
    mask |= peer.view.found() ? 1U << rank : 0U;
  }
  return static_cast<std::uint8_t>(mask);
}

std::uint8_t Endpoint::all_but(Rank rank) const {
  return static_cast<std::uint8_t>(((1U << options_.world_size) - 1) & ~(1U << rank));
}

}  // namespace wccl::link
