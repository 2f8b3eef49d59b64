#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "wccl/transport.h"

#include "phy/frame_header.h"

namespace wccl::link {

/// What a receiver said of a frame.
struct FrameOutcome {
  int blocks_ok = 0;
  double purity = 0;  ///< Share of the light of its best capture; 0: not known.
};

/// A frame of ours, and what became of it.
struct SentFrame {
  std::uint64_t sequence = 0;
  std::size_t rung = 0;
  int hold = 0;
  int parity = 0;       ///< As DisplayPhase has it.
  int blocks = 0;       ///< That bore packets.
  bool counts = false;  ///< Not the first after a change, which receivers need to get used to it.
  std::array<std::optional<FrameOutcome>, phy::kMaxNodes> outcomes;  ///< By rank.

  [[nodiscard]] const std::optional<FrameOutcome>& outcome(Rank rank) const {
    return outcomes[static_cast<std::size_t>(rank)];
  }
};

/// The latest frames of a sender, oldest first.
class FrameLog {
 public:
  void add(const SentFrame& frame) {
    frames_.push_back(frame);
    if (frames_.size() > kMost) {
      frames_.pop_front();
    }
  }
  [[nodiscard]] SentFrame* find(std::uint64_t sequence) {
    if (frames_.empty() || sequence < frames_.front().sequence ||
        sequence > frames_.back().sequence) {
      return nullptr;
    }
    return &frames_[static_cast<std::size_t>(sequence - frames_.front().sequence)];
  }
  [[nodiscard]] const std::deque<SentFrame>& frames() const { return frames_; }

 private:
  static constexpr std::size_t kMost = 64;
  std::deque<SentFrame> frames_;
};

}  // namespace wccl::link
