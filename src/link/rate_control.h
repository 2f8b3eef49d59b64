#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wccl/transport.h"

#include "base/clock.h"
#include "link/display_phase.h"
#include "link/frame_log.h"
#include "link/need_model.h"
#include "link/pacing.h"
#include "link/packet.h"
#include "link/receiver_views.h"
#include "link/view_model.h"
#include "phy/mode.h"

namespace wccl::link {

/// Chooses mode and hold of one sender's frames: what brings most through to its worst receiver.
///
/// ReceiverViews predicts what each mode has to spare, NeedModel has learned how much it must
/// spare. While laptops meet and there is nothing to send, the best guess is taken at once, so that
/// receivers get used to it; afterwards safer choices are taken at once, and riskier ones are
/// probed by a few frames first.
class RateControl {
 public:
  /// @param frame_bytes  [ladder.size()] payload bytes of a frame; 0: the mode does not fit this
  /// panel.
  /// @param refresh      Period of the panel.
  /// @param hold         Refreshes of a frame, when it is not to be chosen.
  RateControl(std::span<const phy::Mode> ladder,
              const std::vector<std::size_t>& frame_bytes,
              Duration refresh,
              std::optional<int> hold = {});

  /// That of this node's own camera.
  void on_capture_period(Duration period) { pacing_.on_own_period(period); }

  /// @param settled  The latest frame of ours that the figures take into account.
  void on_ack(Rank peer, const AckPacket& ack, std::optional<std::uint64_t> settled, Instant now);
  /// How this node sees the peer.
  void on_view(Rank peer, const ViewQuality& view, Instant now) { views_.on_view(peer, view, now); }
  /// @param success_class  As in Feedback, from a frame header.
  void on_feedback(Rank peer, unsigned success_class, Instant now) {
    views_.on_feedback(peer, success_class, now);
  }

  struct Demand {
    std::uint8_t peers = 0;         ///< The ranks that must be able to read, bit r for rank r.
    bool idle = true;               ///< Every message is acknowledged.
    std::size_t backlog_bytes = 0;  ///< Not sent even once.
    std::uint8_t others = 0;        ///< Ranks in view besides, which nothing waits for now.
  };
  struct Choice {
    phy::ModeId mode = 0;
    int refreshes = 0;   ///< That this frame stays.
    bool probe = false;  ///< To be filled to the last block, so that it tells much.
  };
  /// Called once a frame.
  /// @param sequence  Of the frame to come.
  /// @param refresh   At which it begins, counted from any.
  [[nodiscard]] Choice choose(const Demand& demand,
                              std::uint64_t sequence,
                              std::uint64_t refresh,
                              Instant now);
  /// The frame that was chosen bears packets in so many blocks.
  void note_sent(int blocks);

  /// What frames that are not probes have, and what stands in the way of more.
  struct State {
    phy::ModeId mode = 0;
    int hold = 0;          ///< In refreshes.
    double margin_db = 0;  ///< That its weakest layer has to spare, of the worst receiver.
    int channel = 0;       ///< Whose layer that is.
    double success = 1;    ///< Share of blocks that decoded lately.
    double mixed = 0;      ///< Share of other frames in captures, at hold 2.
  };
  [[nodiscard]] State state(Instant now) const;
  [[nodiscard]] phy::ModeId mode() const { return rungs_[current_.rung].mode; }
  /// In refreshes.
  [[nodiscard]] int hold() const { return pacing_.refreshes_of(current_.hold); }

 private:
  struct Rung {
    phy::ModeId mode = 0;
    std::size_t frame_bytes = 0;
  };
  struct Option {
    std::size_t rung = 0;
    int hold = 0;  ///< As Pacing has it, or as it was fixed.
    friend bool operator==(const Option&, const Option&) = default;
  };
  struct Worth {
    Option option;
    double value = 0;
  };
  struct Probe {
    Option option;
    int frames_left = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    Instant sent;  ///< Its last frame.
  };

  void follow_cameras();
  void judge_phase(Instant now);
  void judge_probe(Instant now);
  void judge_current(Instant now);
  void retreat(Instant now);
  void distrust_current(Instant now);
  void greet(Instant now, double enough);
  void choose_better(const Demand& demand, Instant now);
  void step_to(Option option, Instant now);

  [[nodiscard]] bool is_about_to_know_phase() const;
  [[nodiscard]] bool is_meeting(const Demand& demand) const;
  [[nodiscard]] bool headers_fail(Instant now) const;
  [[nodiscard]] bool interrupts_probe(const Demand& demand) const;
  [[nodiscard]] const phy::Mode& mode_of(Option option) const;
  [[nodiscard]] Option safest() const;
  /// What the option has to spare, by all that is known; and over what it needs.
  [[nodiscard]] double margin_db(Option option, Instant now) const;
  [[nodiscard]] double spare_db(Option option, Instant now) const;
  [[nodiscard]] double safe_db(Option option) const;
  [[nodiscard]] double bytes_per_refresh(Option option) const;
  [[nodiscard]] double value(Option option, double success) const;
  [[nodiscard]] double present_value(Instant now) const;
  [[nodiscard]] double guess(Option option, Instant now) const;
  [[nodiscard]] Worth best_guess(Instant now) const;
  [[nodiscard]] FrameQuery frames_of_current() const;
  [[nodiscard]] std::optional<Measured> measure_current() const;
  [[nodiscard]] bool is_told() const;
  [[nodiscard]] Choice make_choice(Option option,
                                   bool probe,
                                   std::uint64_t sequence,
                                   std::uint64_t refresh);

  std::span<const phy::Mode> ladder_;
  std::optional<int> fixed_hold_;
  Pacing pacing_;
  std::vector<Rung> rungs_;  ///< Slowest first.
  std::vector<Option> options_;
  ReceiverViews views_;
  NeedModel needs_;

  std::uint8_t peers_ = 0;  ///< That must be able to read.
  bool has_met_ = false;    ///< The first message has been handed over.
  bool is_tried_ = false;   ///< Receivers have said what came of a choice, at least once.
  int retreats_ = 0;        ///< Since receivers last said that they read us.
  Option current_;
  Instant current_since_{};
  std::uint64_t current_from_ = 0;  ///< The first frame in it.
  std::uint64_t scene_from_ = 0;    ///< The first one that tells of receivers as they are now.
  std::optional<Probe> probe_;
  Instant no_probe_before_{};
  DisplayPhase phase_;
  std::uint64_t phase_from_ = 0;                 ///< The first frame at this phase.
  std::array<std::uint64_t, 2> phase_latest_{};  ///< The latest frame that told of a parity.
  FrameLog log_;
  std::uint64_t sequence_ = 0;  ///< Of the frame to come.
};

}  // namespace wccl::link
