#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wccl/transport.h"

#include "base/clock.h"
#include "link/capture_pace.h"
#include "link/display_phase.h"
#include "link/frame_log.h"
#include "link/packet.h"
#include "link/view_model.h"
#include "phy/frame_header.h"
#include "phy/mode.h"

namespace wccl::link {

/// Chooses mode and hold of one sender's frames: what brings most through to its worst receiver.
///
/// A model predicts from the reported SNR what each mode has to spare; how much it must spare is
/// learned from the share of blocks that decoded (outer-loop link adaptation, as in LTE). Safer
/// choices are taken at once, riskier ones are probed by a few frames first.
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

  /// That of this node's own camera, by which answers come.
  void on_capture_period(Duration period) { own_period_ = period; }

  /// @param settled  The latest frame of ours that the figures take into account.
  void on_ack(Rank peer, const AckPacket& ack, std::optional<std::uint64_t> settled, Instant now);
  /// How this node sees the peer. Light goes both ways alike: it is what to go by while the peer
  /// cannot say how it sees us.
  void on_view(Rank peer, const ViewQuality& view);
  /// @param success_class  As in Feedback, from a frame header.
  void on_feedback(Rank peer, unsigned success_class, Instant now);

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
    int hold = 0;
    double margin_db = 0;  ///< That its weakest layer has to spare, of the worst receiver.
    int channel = 0;       ///< Whose layer that is.
    double success = 1;    ///< Share of blocks that decoded lately.
    double mixed = 0;      ///< Share of other frames in captures, at hold 2.
  };
  [[nodiscard]] State state(Instant now) const;
  [[nodiscard]] phy::ModeId mode() const { return rungs_[current_.rung].mode; }
  /// In refreshes.
  [[nodiscard]] int hold() const { return refreshes_of(current_.hold); }

 private:
  struct Rung {
    phy::ModeId mode = 0;
    std::size_t frame_bytes = 0;
    double bias_db = 0;  ///< What the model is off by, as failures have taught.
  };
  struct Option {
    std::size_t rung = 0;
    int hold = 0;  ///< In refreshes with usual cameras; refreshes_of() tells with others.
    friend bool operator==(const Option&, const Option&) = default;
  };
  struct Peer {
    std::optional<ViewQuality> view;
    std::optional<ViewQuality> seen_here;  ///< The peer's screen, by this node.
    bool needed = false;
    Instant readable_at;             ///< When it last showed that it reads us, or came into view.
    std::optional<Duration> period;  ///< Of its camera.
    Instant failing_since = Instant::max();  ///< Since when its frame headers say that it does not.
    std::vector<Margin> margins;             ///< By rung, while there is a view.
    // Margins of the first rungs in luma and in colour, over some time.
    std::optional<double> usual_luma_db;
    std::optional<double> usual_colour_db;
  };
  struct Probe {
    Option option;
    int frames_left = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    Instant sent;  ///< Its last frame.
  };
  struct Measured {
    double success = 1;
    int frames = 0;
    int blocks = 0;
  };
  static constexpr std::size_t kHolds = 5;
  static constexpr int kUsualRefreshes = 2;

  void note_peers(const Demand& demand, Instant now);
  void take_view(Peer& peer, const AckPacket& ack);
  void watch_for_jump(Peer& peer);
  void update_needs(Instant now);
  void follow_cameras();
  void judge_phase(Instant now);
  void judge_probe(Instant now);
  void judge_current(Instant now);
  void retreat(Instant now);
  void distrust_current(Instant now);
  void choose_better(const Demand& demand, Instant now);
  void step_to(Option option, Instant now);

  [[nodiscard]] bool any_silent(Instant now) const;
  [[nodiscard]] bool headers_fail(Instant now) const;
  [[nodiscard]] bool all_report() const;
  [[nodiscard]] bool interrupts_probe(const Demand& demand) const;
  [[nodiscard]] Margin margin(std::size_t rung) const;
  [[nodiscard]] double spare_db(Option option, Instant now) const;
  [[nodiscard]] int refreshes_of(int hold) const;
  [[nodiscard]] static bool has_phase(int hold);
  [[nodiscard]] Duration paced(Duration duration) const;
  [[nodiscard]] double bytes_per_refresh(Option option) const;
  [[nodiscard]] double value(Option option, double success) const;
  [[nodiscard]] std::optional<Measured> measure(Option option,
                                                std::uint64_t from,
                                                std::uint64_t to,
                                                std::size_t most) const;
  void learn(Option option, const Measured& measured, double weight, Instant now);
  [[nodiscard]] Choice make_choice(Option option,
                                   bool probe,
                                   std::uint64_t sequence,
                                   std::uint64_t refresh);

  std::span<const phy::Mode> ladder_;
  Duration refresh_;
  std::optional<int> fixed_hold_;
  Duration own_period_ = kUsualCapturePeriod;
  int capture_refreshes_ = kUsualRefreshes;  ///< Period of the slowest receiver that is needed.
  double slowdown_ = 1;                      ///< Of round trips, against usual cameras.
  std::vector<Rung> rungs_;                  ///< Slowest first.
  std::vector<Option> options_;
  std::array<double, kHolds> need_db_{};   ///< That a mode has to spare, by hold.
  std::array<double, kHolds> patience_{};  ///< By hold: how slowly a need is forgotten.
  Instant needs_at_{};

  int retreats_ = 0;   ///< Since receivers last said that they read us.
  int distrusts_ = 0;  ///< Since the scene changed.
  Option current_;
  Instant current_since_{};
  std::uint64_t current_from_ = 0;  ///< The first frame in it.
  std::optional<Probe> probe_;
  Instant no_probe_before_{};
  DisplayPhase phase_;
  std::uint64_t phase_from_ = 0;  ///< The first frame at this phase.
  FrameLog log_;
  std::uint64_t sequence_ = 0;  ///< Of the frame to come.
  std::array<Peer, phy::kMaxNodes> peers_;
};

}  // namespace wccl::link
