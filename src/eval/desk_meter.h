#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "eval/desk_count.h"
#include "eval/quality_sums.h"
#include "phy/receiver.h"

namespace wccl::eval {

/// Counts what a laptop reads of one other screen for some time, beginning when that screen shows
/// the mode in question and the receiver is used to it. Frames count that come into sight within
/// this time; what captures after it still bring of them counts, too.
class DeskMeter {
 public:
  DeskMeter(Rank peer, phy::ModeId mode, Duration length);

  void note(const phy::CaptureReception& reception);
  [[nodiscard]] DeskCount count() const;

 private:
  struct Frame {
    std::vector<bool> has_block;  ///< By index.
    double best_share = 0;        ///< Of the light of one capture; 0: not known.
  };

  void await(const phy::CaptureReception& reception, const phy::ScreenReception* screen);
  void take(const phy::ScreenReception& screen, bool within);
  void take(const phy::FrameReception& received, bool within);
  [[nodiscard]] bool is_ours(const phy::FrameHeader& header) const;
  [[nodiscard]] Frame* find(std::uint16_t sequence);

  Rank peer_;
  phy::ModeId mode_;
  Duration length_;
  std::optional<Instant> seen_at_;  ///< The mode, for the first time.
  int n_seen_ = 0;                  ///< Captures that showed it since.
  std::optional<Instant> begin_;
  Instant last_{};  ///< The latest capture that was counted.
  std::optional<std::uint16_t> newest_before_;
  std::optional<phy::FrameHeader> first_;  ///< Of the frames that count.
  std::vector<std::size_t> channel_of_;    ///< Of each block.
  std::map<int, Frame> frames_;            ///< By distance from the first.
  int captures_ = 0;
  QualitySums quality_;
};

}  // namespace wccl::eval
