#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "link/capture_pace.h"
#include "link/feedback.h"
#include "link/foreign_versions.h"
#include "link/goodbye.h"
#include "link/node.h"
#include "link/outbox.h"
#include "link/peer.h"
#include "link/rank_conflicts.h"
#include "link/rate_control.h"

namespace wccl::link {

/// A frame before it is painted.
struct OutgoingFrame {
  phy::FrameHeader header;
  std::vector<std::vector<std::byte>> payloads;  ///< The first slots; the rest is filler.
};

/// The protocol of a Node, without pictures: Node is an Endpoint and a phy::Transmitter.
class Endpoint {
 public:
  /// Payload bytes of each block of a frame in this mode; empty when the mode does not fit.
  using BlockSizes = std::function<std::vector<std::size_t>(phy::ModeId)>;

  /// @param ladder  Borrowed; outlives the endpoint.
  Endpoint(NodeOptions options, std::span<const phy::Mode> ladder, const BlockSizes& block_sizes);

  void on_reception(const phy::CaptureReception& reception, Instant now);
  /// Called at every refresh of the panel. @return a frame when the last one has been shown for
  /// long enough.
  [[nodiscard]] std::optional<OutgoingFrame> next_frame(Instant now);
  void fix(const FixedSending& sending);

  Status send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message);
  [[nodiscard]] std::optional<Bytes> try_receive(Rank from, Tag tag);
  Status say_goodbye(std::span<const Rank> to, const std::optional<Departure>& departure);
  [[nodiscard]] bool has_said_goodbye(Rank rank) const { return goodbye_of(rank).has_value(); }
  [[nodiscard]] std::optional<Departure> departure(Rank rank) const;
  [[nodiscard]] bool all_acknowledged() const { return outbox_.all_acknowledged(); }
  [[nodiscard]] std::size_t backlog_bytes() const { return outbox_.backlog_bytes(); }
  [[nodiscard]] const SentBytes& sent_bytes() const { return outbox_.sent_bytes(); }
  [[nodiscard]] bool works_with(Rank rank) const {
    return is_peer(rank) && works_with(peers_.at(rank));
  }
  [[nodiscard]] std::vector<Rank> unacknowledged_by() const;
  [[nodiscard]] std::uint64_t progress(Rank rank) const;
  [[nodiscard]] bool calibrated() const;
  [[nodiscard]] std::vector<Rank> lost_peers(Instant now) const;
  [[nodiscard]] std::uint64_t incarnation(Rank rank) const;
  void drop_queued(Rank rank);
  [[nodiscard]] std::vector<Rank> conflicts(Instant now) const {
    return rank_conflicts_.ranks(options_.rank, options_.epoch, now);
  }
  [[nodiscard]] std::optional<std::uint8_t> foreign_version(Instant now) const {
    return foreign_versions_.in_sight(now);
  }
  [[nodiscard]] std::string complaint(Instant now) const;
  [[nodiscard]] std::vector<std::uint16_t> seekers(Instant now) const;
  [[nodiscard]] std::vector<LinkStats> stats() const;
  [[nodiscard]] std::uint64_t bytes_on_air() const { return bytes_on_air_; }
  [[nodiscard]] phy::ModeId mode() const { return rate_.mode(); }
  [[nodiscard]] RateControl::State rate(Instant now) const { return rate_.state(now); }
  /// Payload of a frame in the mode of now.
  [[nodiscard]] std::size_t frame_bytes() const;
  /// Packets that could not be read.
  [[nodiscard]] std::uint64_t rejected_packets() const { return rejected_packets_; }
  [[nodiscard]] const NodeOptions& options() const { return options_; }

 private:
  [[nodiscard]] bool is_peer(int rank) const;
  [[nodiscard]] bool works_with(const Peer& peer) const {
    return work_together(options_.activity, peer.activity());
  }
  Status queue(std::span<const Rank> to, Tag tag, std::span<const std::byte> message);
  [[nodiscard]] std::optional<Goodbye> goodbye_of(Rank rank) const;
  [[nodiscard]] Peer& peer(Rank rank) { return peers_.at(rank); }
  void on_screen(const phy::ScreenReception& screen, Instant now);
  void on_frame(Rank from, const phy::FrameReception& frame, Instant now);
  void on_block(Rank from, std::uint16_t sequence, std::span<const std::byte> block, Instant now);
  void on_ack(Rank from, std::uint16_t sequence, const AckPacket& ack, Instant now);

  [[nodiscard]] phy::FrameHeader make_header(phy::ModeId mode, Instant now) const;
  [[nodiscard]] RateControl::Demand demand(Instant now) const;
  [[nodiscard]] std::uint8_t found_peers() const;
  [[nodiscard]] std::uint8_t all_but(Rank rank) const;

  NodeOptions options_;
  std::span<const phy::Mode> ladder_;
  std::vector<std::vector<std::size_t>> block_sizes_;  ///< By mode.
  std::map<Rank, Peer> peers_;
  RankConflicts rank_conflicts_;
  ForeignVersions foreign_versions_;
  std::map<std::uint16_t, Instant> seekers_;  ///< When each was seen last, by identity.
  Outbox outbox_;
  RateControl rate_;
  CapturePace pace_;
  bool filled_ = false;           ///< Frames are to be, to the last block.
  std::uint64_t refreshes_ = 0;   ///< Of the panel so far.
  std::uint64_t next_frame_ = 0;  ///< The refresh at which the next frame is due.
  std::uint64_t sequence_ = 0;    ///< Of the next frame.
  std::uint64_t bytes_on_air_ = 0;
  std::uint64_t rejected_packets_ = 0;
};

}  // namespace wccl::link
