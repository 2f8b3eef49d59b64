#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wccl/transport.h"

#include "base/clock.h"
#include "link/packet.h"
#include "link/view_model.h"
#include "phy/frame_header.h"
#include "phy/mode.h"

namespace wccl::link {

/// How well the receivers of one sender see its screen.
///
/// Their acknowledgements say it. As long as these tell nothing of colour, the sender goes by how
/// it sees their screens, since light goes both ways alike.
class ReceiverViews {
 public:
  explicit ReceiverViews(std::span<const phy::Mode> ladder) : ladder_(ladder) {}

  /// @param peers   The ranks that must be able to read, bit r for rank r.
  /// @param others  Those in view besides, whose views are kept.
  void set_needed(std::uint8_t peers, std::uint8_t others, Instant now);
  /// @return whether the peer looks at another scene now: nothing holds that failures taught.
  [[nodiscard]] bool on_ack(Rank peer, const AckPacket& ack, Instant now);
  /// How this node sees the peer.
  void on_view(Rank peer, const ViewQuality& view, Instant now);
  /// @param success_class  As in Feedback, from a frame header.
  void on_feedback(Rank peer, unsigned success_class, Instant now);

  [[nodiscard]] bool is_needed(std::size_t rank) const { return peers_[rank].needed; }
  /// Every peer has said how it sees us.
  [[nodiscard]] bool all_report() const;
  /// There are peers, and of each it is known or can be guessed how it sees us.
  [[nodiscard]] bool all_known() const;
  /// No colours have been seen yet, there or here: what is said of colour modes is a guess.
  [[nodiscard]] bool is_guess() const;
  /// Every peer has said how it sees colours.
  [[nodiscard]] bool all_report_colours() const;
  /// Nothing has said for so long that a peer reads us.
  [[nodiscard]] bool any_silent_for(Duration duration, Instant now) const;
  /// A peer's headers have said for so long that hardly anything decodes.
  [[nodiscard]] bool any_failing_for(Duration duration, Instant now) const;

  /// What a mode has to spare at the worst receiver.
  [[nodiscard]] Margin margin(const phy::Mode& mode) const;
  /// The same by nothing but how this node sees the peers.
  [[nodiscard]] double mirrored_margin_db(const phy::Mode& mode) const;

 private:
  struct Peer {
    std::optional<Sight> view;    ///< The latest, by its acknowledgements.
    std::optional<Sight> colour;  ///< The latest one of colour cells.
    Instant colour_at;
    int colour_reports = 0;
    std::optional<Sight> mirrored;  ///< The peer's screen, by this node.
    std::optional<Sight> mirrored_colour;
    Instant mirrored_colour_at;
    bool needed = false;
    Instant readable_at;  ///< When it last showed that it reads us, or came into view.
    Instant failing_since = Instant::max();  ///< Since when its frame headers say that it does not.
    std::optional<ViewQuality> quality;
    // Views of luma and of colour over some time, in dB better than usual.
    std::optional<double> usual_luma_db;
    std::optional<double> usual_colour_db;
  };

  [[nodiscard]] bool take_view(Peer& peer, const AckPacket& ack, Instant now) const;
  [[nodiscard]] static bool is_jump(Peer& peer);
  [[nodiscard]] std::optional<Sight> sight(const Peer& peer, phy::Colouring colouring) const;

  std::span<const phy::Mode> ladder_;
  std::array<Peer, phy::kMaxNodes> peers_;
  Instant now_{};
};

}  // namespace wccl::link
