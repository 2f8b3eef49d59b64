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
#include "phy/frame_header.h"
#include "phy/mode.h"

namespace wccl::link {

/// How well a receiver sees a screen, as its acknowledgements say.
struct ViewQuality {
  phy::ModeId mode = 0;            ///< In which the figures were measured.
  std::array<double, 3> snr_db{};  ///< Per channel; luma fills the first.
  double cell_px = 0;              ///< Cell of that mode in camera pixels.
};

/// How many dB the weakest channel of `to` would have to spare, judged from what `from` showed.
/// Rough (the lens and the equaliser are not known): it chooses which modes are worth a probe, not
/// which are used.
[[nodiscard]] double predicted_margin_db(const ViewQuality& view,
                                         const phy::Mode& from,
                                         const phy::Mode& to);

/// Chooses the mode of one sender's frames: the fastest that its worst receiver reads.
///
/// Starts in the most robust mode. Frames are self-describing, so a few in a faster mode probe it;
/// receivers report the share of blocks that decoded. It steps up on a good report, and down at
/// once when blocks fail or receivers fall silent.
class RateControl {
 public:
  /// @param frame_bytes  [ladder.size()] payload bytes of a frame; 0: the mode does not fit this
  /// panel.
  RateControl(std::span<const phy::Mode> ladder, std::vector<std::size_t> frame_bytes);

  /// @param settled  The latest frame of ours that the figures take into account.
  void on_ack(Rank peer, const AckPacket& ack, std::optional<std::uint64_t> settled, Instant now);
  /// @param success_class  As in Feedback, from a frame header.
  void on_feedback(Rank peer, unsigned success_class, Instant now);

  struct Demand {
    std::uint8_t peers = 0;         ///< The ranks that must be able to read, bit r for rank r.
    bool idle = true;               ///< Every message is acknowledged.
    std::size_t backlog_bytes = 0;  ///< Not sent even once.
  };
  struct Choice {
    phy::ModeId mode = 0;
    bool probe = false;  ///< To be filled to the last block, so that it tells much.
  };
  /// Called once a frame.
  /// @param sequence  Of the frame to come.
  [[nodiscard]] Choice choose(const Demand& demand, std::uint64_t sequence, Instant now);

  /// The mode of frames that are not probes.
  [[nodiscard]] phy::ModeId mode() const { return rungs_[current_].mode; }

 private:
  struct Rung {
    phy::ModeId mode = 0;
    std::size_t frame_bytes = 0;
    Instant blocked_until{};  ///< Failed: not to be used or probed before.
    int failures = 0;
    std::optional<Instant> probed;
    std::uint64_t probed_in = 0;  ///< The frame that was the probe.
  };
  struct Verdict {
    double success = 0;
    int samples = 0;
    std::uint64_t settled = 0;  ///< Frames up to this one are taken into account.
    Instant at;
  };
  struct Peer {
    std::optional<ViewQuality> view;
    std::vector<std::optional<Verdict>> verdicts;  ///< By rung.
    bool needed = false;
    Instant readable_at;  ///< When it last showed that it reads us, or came into view.
    Instant failing_since = Instant::max();  ///< Since when its frame headers say that it does not.
  };

  void note_peers(std::uint8_t peers, Instant now);
  [[nodiscard]] bool any_silent(Instant now) const;
  [[nodiscard]] std::optional<double> probe_success(const Rung& rung,
                                                    std::size_t index,
                                                    Instant now) const;
  [[nodiscard]] double current_success(Instant now) const;
  void judge_current(Instant now);
  void judge_probes(Instant now);
  void step_to(std::size_t rung, Instant now);
  void block(Rung& rung, Instant now);
  [[nodiscard]] std::optional<std::size_t> probe_candidate(Instant now) const;
  void start_probe(Instant now);
  [[nodiscard]] bool may_probe(const Demand& demand, Instant now) const;
  [[nodiscard]] bool interrupts_probe(const Demand& demand) const;
  [[nodiscard]] bool predicted_readable(std::size_t rung) const;

  std::span<const phy::Mode> ladder_;
  std::vector<Rung> rungs_;  ///< Slowest first.
  std::size_t current_ = 0;
  Instant current_since_{};
  std::uint64_t current_from_ = 0;  ///< The first frame in it.
  std::uint64_t sequence_ = 0;      ///< Of the frame to come.
  std::optional<Instant> last_probe_;
  std::optional<std::size_t> probing_;  ///< The rung that is being probed.
  int probe_frames_left_ = 0;
  std::array<Peer, phy::kMaxNodes> peers_;
};

}  // namespace wccl::link
