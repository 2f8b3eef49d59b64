#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "link/packet.h"
#include "phy/receiver.h"

namespace wccl::link {

/// What one peer's screen looks like from here: found or lost, which frames are done, how well each
/// mode is read.
class PeerView {
 public:
  explicit PeerView(Duration timeout) : timeout_(timeout) {}

  enum class FrameVerdict {
    kAccepted,
    kRestarted,  ///< The first one of a new epoch: whatever was known of the peer's messages is
                 ///< void.
    kDropped,    ///< Of an epoch that has passed, or of a new one that nothing confirms yet.
  };
  /// Called for every frame of a capture, before its blocks are used.
  FrameVerdict on_frame(const phy::FrameReception& frame, Instant now);
  /// The frame's status packet has said how many blocks bear packets.
  void on_blocks_used(std::uint16_t sequence, int blocks_used);
  /// Called after the frames of a screen.
  /// @param period  Between two captures.
  void on_screen(const phy::ScreenReception& screen, Duration period, Instant now);
  /// Called with every capture and refresh: a view that has been away for too long is lost.
  void update(Instant now);

  /// Seen in enough captures with its colours measured, and not lost since.
  [[nodiscard]] bool found() const { return found_; }
  [[nodiscard]] bool heard() const { return epoch_.has_value(); }
  /// Once it is heard.
  [[nodiscard]] std::optional<std::uint16_t> epoch() const { return epoch_; }
  /// Grows when the peer starts anew.
  [[nodiscard]] std::uint64_t epochs_heard() const { return epochs_heard_; }
  [[nodiscard]] bool unseen_for_long(Instant now) const;
  [[nodiscard]] std::uint64_t relocks() const { return relocks_; }
  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  [[nodiscard]] std::uint32_t feedback() const { return feedback_; }
  [[nodiscard]] phy::ModeId mode() const { return mode_; }
  [[nodiscard]] const phy::ScreenQuality& quality() const { return quality_; }
  /// The mode in which the quality was measured.
  [[nodiscard]] phy::ModeId quality_mode() const { return quality_mode_; }

  /// Epoch, settled frames, quality and latest frames of an acknowledgement.
  void describe(AckPacket& ack) const;
  /// How the blocks of the latest mode fare, 0 (nothing decodes) to 3 (all is well).
  /// @param period  Between two captures.
  [[nodiscard]] unsigned success_class(Instant now, Duration period) const;

 private:
  /// What came of one frame.
  struct FrameTally {
    std::uint16_t sequence = 0;
    std::optional<phy::ModeId> mode;  ///< Of those whose header was read.
    int blocks_ok = 0;
    std::optional<int> blocks_used;
    double best_share = 0;  ///< Of the light of one capture; 0: not known.
    bool settled = false;
  };
  /// Decaying sums over the frames of one mode.
  struct ModeTally {
    phy::ModeId mode = 0;
    double ok = 0;
    double used = 0;
    Instant last;
  };

  FrameVerdict judge_epoch(const phy::FrameReception& frame);
  void start_epoch(std::uint16_t epoch);
  void forget_frames();
  void count_blocks(const phy::FrameReception& frame);
  void note_shares(const phy::ScreenReception& screen);
  FrameTally& tally_of(std::uint16_t sequence);
  [[nodiscard]] const FrameTally* find_tally(std::uint16_t sequence) const;
  void settle(Duration period, Instant now);
  void close(const FrameTally& tally, Duration period, Instant now);

  Duration timeout_;
  std::optional<std::uint16_t> epoch_;
  std::uint64_t epochs_heard_ = 0;
  std::deque<std::uint16_t> past_epochs_;
  std::optional<phy::FrameHeader> unconfirmed_;  ///< A header of a new epoch, seen once.

  std::optional<std::uint16_t> newest_;         ///< The latest frame seen.
  std::optional<std::uint16_t> newest_before_;  ///< The latest one before this capture.
  std::optional<std::uint16_t> settled_;
  std::deque<FrameTally> tallies_;  ///< Of the latest frames.
  std::vector<ModeTally> modes_;    ///< Latest first.

  bool found_ = false;
  bool was_found_ = false;
  int good_captures_ = 0;
  std::optional<Instant> last_seen_;
  std::uint64_t relocks_ = 0;
  std::uint64_t frames_ = 0;
  std::uint32_t feedback_ = 0;
  phy::ModeId mode_ = 0;
  phy::ModeId quality_mode_ = 0;
  phy::ScreenQuality quality_;
  bool accepted_in_capture_ = false;
  std::optional<phy::ModeId> last_closed_;
};

/// Distance from `from` to `to` in a sequence that counts modulo 2^16; negative when `to` is older.
[[nodiscard]] inline int sequence_distance(std::uint16_t from, std::uint16_t to) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(to - from));
}

}  // namespace wccl::link
