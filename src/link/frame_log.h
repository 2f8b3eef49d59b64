#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

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
  int hold = 0;         ///< As Pacing has it.
  bool regular = true;  ///< It stays for as long as others of its hold.
  int parity = 0;       ///< As DisplayPhase has it.
  int blocks = 0;       ///< That bore packets.
  /// Regular, and not the first after a change, which receivers need to get used to it; set by the
  /// log.
  bool counts = false;
  std::array<std::optional<FrameOutcome>, phy::kMaxNodes> outcomes;  ///< By rank.

  [[nodiscard]] const std::optional<FrameOutcome>& outcome(Rank rank) const {
    return outcomes[static_cast<std::size_t>(rank)];
  }
};

/// What blocks said of frames of one mode and hold, of the worst receiver.
struct Measured {
  double success = 1;  ///< Share of blocks that decoded.
  int frames = 0;
  int blocks = 0;
};

/// Which frames are asked for.
struct FrameQuery {
  std::size_t rung = 0;
  int hold = 0;
  std::uint64_t from = 0;          ///< The first frame.
  std::uint64_t to = 0;            ///< The last frame.
  std::size_t most = 0;            ///< So many of them, the latest.
  std::optional<int> parity = {};  ///< All of this one.
};

/// What receivers said of the light of frames of one parity.
struct MixedShares {
  std::vector<double> shares;  ///< Mean share of other frames' light, of each receiver.
  std::size_t frames = 0;      ///< Of the receiver that said least.
  std::uint64_t latest = 0;    ///< Frame.
};

/// The latest frames of a sender, oldest first.
class FrameLog {
 public:
  void add(SentFrame frame);
  /// Null when it is not there, or not any more.
  [[nodiscard]] SentFrame* find(std::uint64_t sequence);

  /// Whether all peers have said what came of a frame.
  /// @param peers  Ranks that count, bit r for rank r; so below.
  [[nodiscard]] bool is_reported(std::uint64_t sequence, std::uint8_t peers) const;
  /// Whether a regular frame of the tight hold and this parity came after all that anybody has said
  /// something of. Reports come in order.
  [[nodiscard]] bool is_on_its_way(int parity) const;
  /// @return nothing while one of the peers has said nothing.
  [[nodiscard]] std::optional<Measured> measure(const FrameQuery& query, std::uint8_t peers) const;
  /// Of regular frames of the tight hold, from `from` on, the latest `most`.
  [[nodiscard]] MixedShares mixed_shares(int parity,
                                         std::uint64_t from,
                                         std::size_t most,
                                         std::uint8_t peers) const;

 private:
  static constexpr std::size_t kMost = 64;
  std::deque<SentFrame> frames_;
};

}  // namespace wccl::link
