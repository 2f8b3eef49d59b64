#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "eval/figures.h"
#include "eval/shown_cells.h"
#include "phy/layout.h"
#include "phy/receiver_observer.h"

namespace wccl::eval {

/// Compares what a receiver thinks of cells with what they were: symbol errors, mutual
/// information, what the equaliser says.
class SoftMeter {
 public:
  /// Only rows of this grid count.
  explicit SoftMeter(std::shared_ptr<const phy::Layout> layout);

  // While a capture is read: kept for later, so that the receiver's time stays its own.
  void note(const phy::SoftRow& row);
  void note_reset(std::uint16_t sequence, phy::Layer layer);

  /// Takes in what was noted.
  void digest();
  /// Adds a frame that is over to the sums.
  /// @param complete  Channels of which all blocks were decoded: what was not looked at any more
  ///                  counts as good as the rest, instead of as lost.
  void close(std::uint16_t sequence, const ShownCells& shown, std::array<bool, 3> complete);
  /// A frame that was on air and of which nothing was seen.
  void close_unseen() { ++n_frames_; }
  void forget(std::uint16_t sequence) { frames_.erase(sequence); }
  [[nodiscard]] bool has_seen(std::uint16_t sequence) const { return frames_.contains(sequence); }

  /// Fills in what it knows: all but blocks of each channel, mixed share, constellation. The SNR
  /// stays as it is where there was too little to measure it.
  void fill(Figures& figures) const;

 private:
  struct Noted {
    bool is_reset = false;
    std::uint16_t sequence = 0;
    phy::Layer layer;
    int row = 0;
    std::size_t first_estimate = 0;
    std::size_t first_llr = 0;
    float share_left = 0;
    float share_right = 0;
  };
  struct Channel {
    std::vector<std::int16_t> llr;    ///< [data cells * bits] sums over captures.
    std::vector<float> estimate;      ///< [data cells] of the capture that shows most of the frame,
    std::vector<std::uint8_t> share;  ///< and how much, of 255; 0: not seen.
  };
  struct Frame {
    std::array<Channel, 3> channels;
    int last_digest = 0;
  };
  struct Tile {
    std::int64_t cells = 0;
    std::int64_t errors = 0;
    // Over cells that showed most of their frame: estimates against levels, for the SNR.
    double n = 0;
    double level = 0;
    double level_2 = 0;
    double estimate = 0;
    double estimate_2 = 0;
    double product = 0;
  };
  struct Sums {
    std::int64_t cells = 0;
    std::int64_t errors = 0;
    double information = 0;  ///< Sum over frames of the mean of a cell.
    std::array<Tile, kTilesAcross * kTilesDown> tiles{};
    std::vector<std::vector<int>> histogram;
  };

  [[nodiscard]] static std::optional<double> snr_db(const Sums& sums);
  void digest(const Noted& noted);
  void close_channel(const Channel& seen,
                     std::size_t channel,
                     const ShownCells& shown,
                     bool is_complete);
  void collect_constellation(const Frame& frame, const ShownCells& shown);

  std::shared_ptr<const phy::Layout> layout_;
  std::vector<std::uint16_t> tile_of_;  ///< [data cells]
  std::vector<Noted> noted_;
  std::vector<float> noted_estimates_;
  std::vector<phy::Llr> noted_llrs_;
  int n_digests_ = 0;
  std::map<std::uint16_t, Frame> frames_;
  std::array<Sums, 3> sums_;
  std::int64_t n_frames_ = 0;
  std::int64_t n_mixed_ = 0;
  std::int64_t n_seen_ = 0;
  std::vector<ConstellationPoint> constellation_;
};

}  // namespace wccl::eval
