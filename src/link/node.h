#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wccl/transport.h"

#include "base/clock.h"
#include "base/occupant.h"
#include "link/activity.h"
#include "link/goodbye.h"
#include "link/outbox.h"
#include "link/rate_control.h"
#include "phy/receiver.h"
#include "phy/transmitter.h"

namespace wccl::link {

struct NodeOptions {
  Rank rank = 0;  ///< Also the node number on the screen.
  int world_size = 2;
  phy::PanelSize panel;
  std::optional<phy::ModeId> mode;  ///< Fixed when set, else chosen by what the receivers can read.
  /// How long a frame stays on the panel: fixed when set, else chosen likewise.
  std::optional<int> hold_refreshes;
  Duration refresh{16'667};
  std::uint16_t epoch = 0;
  Activity activity = Activity::kUnsaid;
  Duration peer_timeout = std::chrono::seconds(3);  ///< Unseen for longer: the view is lost.
};

/// How a node sends when it is told to, instead of as its receivers can read.
struct FixedSending {
  std::optional<phy::ModeId> mode;    ///< One that the panel has room for; nothing: chosen.
  std::optional<int> hold_refreshes;  ///< Nothing: chosen.
  bool filled = false;  ///< Every block bears something, so that a lost one is noticed.
};

/// Figures of what this node received from one peer.
struct LinkStats {
  Rank peer = 0;
  std::uint64_t frames = 0;  ///< Distinct frames of which the header was read.
  std::uint64_t blocks_ok = 0;
  std::uint64_t blocks_bad = 0;
  std::uint64_t message_bytes = 0;  ///< User bytes delivered and verified.
  std::uint64_t relocks = 0;        ///< Times that a lost view was found again.
  phy::ScreenQuality quality;       ///< Of the latest capture that showed the peer.
  bool in_view = false;
  phy::ModeId mode = 0;  ///< Of the peer's latest frame.
  Activity activity = Activity::kUnsaid;
};

/// One end of the optical network without thread, clock or device: captures go in, frames come out.
///
/// It discovers its peers (calibration), sends messages of any size to any set of them,
/// acknowledges, retransmits, and notices when a view is lost and found again.
class Node {
 public:
  explicit Node(NodeOptions options);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Towards the driver
  void on_reception(const phy::CaptureReception& reception, Instant now);
  /// Called at every refresh of the panel. @return what to show from now on; it needs the node no
  /// more.
  [[nodiscard]] Painting next_frame(Instant now);

  /// Called, until it is replaced, with all that is received, before the node uses it; may be
  /// empty.
  void watch(std::function<void(const phy::CaptureReception&)> watcher);

  // Towards the rank's program
  /// @param tag  Any but kGoodbyeTag.
  Status send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message);
  [[nodiscard]] std::optional<Bytes> try_receive(Rank from, Tag tag);
  /// The last word of this node's program.
  /// @param departure  Why it leaves early; what else is queued is dropped then. Nothing: all is
  /// done.
  Status say_goodbye(std::span<const Rank> to, const std::optional<Departure>& departure);
  /// The peer has said its last word. It stays said until the peer starts anew.
  [[nodiscard]] bool has_said_goodbye(Rank peer) const;
  /// Why the peer has left early, if it has.
  [[nodiscard]] std::optional<Departure> departure(Rank peer) const;
  [[nodiscard]] bool all_acknowledged() const;
  /// Bytes of messages that have not been on the air even once.
  [[nodiscard]] std::size_t backlog_bytes() const;
  /// What a frame bears in the mode of now.
  [[nodiscard]] std::size_t frame_bytes() const;
  /// The ranks that have yet to acknowledge a message.
  [[nodiscard]] std::vector<Rank> unacknowledged_by() const;
  /// Grows whenever the peer brings new message bytes or acknowledges some: a long transfer is not
  /// silence.
  [[nodiscard]] std::uint64_t progress(Rank peer) const;
  /// Every peer is in view with its colours measured and there for the same as this node, and every
  /// peer says that it sees all of its own. One that aims is content with the view.
  [[nodiscard]] bool calibrated() const;
  /// The peer is there for the same as this node, as far as it has said. What another one says is
  /// not taken in.
  [[nodiscard]] bool works_with(Rank peer) const;
  /// The peers that this node cannot see now.
  [[nodiscard]] std::vector<Rank> lost_peers(Instant now) const;

  /// 0 while nothing was heard of the peer, then grows each time it starts anew. What it had sent
  /// before and nobody had taken is gone then; what was not acknowledged goes to the new one.
  [[nodiscard]] std::uint64_t incarnation(Rank peer) const;
  /// Sends nothing more of what is queued for this peer: it was meant for one that is gone.
  void drop_queued(Rank peer);
  /// Ranks that two laptops in sight show, this one counted.
  [[nodiscard]] std::vector<Rank> conflicts(Instant now) const;
  /// The version of frames in sight that this program does not read.
  [[nodiscard]] std::optional<std::uint8_t> foreign_version(Instant now) const;
  /// What in sight keeps laptops from working together (two with one rank, another version, another
  /// number of laptops, another command), as one line that says what to do; empty when all is well.
  [[nodiscard]] std::string complaint(Instant now) const;
  /// The identities of laptops in sight that have no rank yet (link::Rendezvous).
  [[nodiscard]] std::vector<std::uint16_t> seekers(Instant now) const;

  [[nodiscard]] std::vector<LinkStats> stats() const;
  /// Message bytes and headers put on the air so far, retransmissions included.
  [[nodiscard]] std::uint64_t bytes_on_air() const;
  [[nodiscard]] SentBytes sent_bytes() const;
  /// How this node sends now, probes aside, and what stands in the way of more.
  [[nodiscard]] RateControl::State rate(Instant now) const;
  /// From the next frame on. What is chosen is chosen anew, beginning with what always works.
  void fix(const FixedSending& sending);
  [[nodiscard]] const NodeOptions& options() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wccl::link
