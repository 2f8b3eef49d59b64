#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "phy/cell_sampler.h"
#include "phy/equalizer.h"
#include "phy/frame_assembler.h"
#include "phy/known_levels.h"
#include "phy/layout.h"
#include "phy/receiver_observer.h"
#include "phy/sync_columns.h"

namespace wccl::phy {

/// Sampled cells of a screen, capture by capture -> blocks.
///
/// Successive interference cancellation (Cover, IEEE Trans. Inf. Theory 1972): green, which cameras
/// see best, is decoded first, from the samples alone. Then its cells' light is known, and red is
/// estimated given green, at last blue given both. For this the last captures' samples are kept: a
/// frame is spread over up to three of them. Likewise, where rows mix two frames, the one that is
/// known already is taken out of the mixture.
class PayloadReader {
 public:
  PayloadReader(std::shared_ptr<const Layout> layout,
                std::uint8_t node,
                int max_iterations,
                std::shared_ptr<const ReceiverObserver> observer = nullptr);

  /// The sender began anew: half-read frames are dropped, what was learned of colours stays.
  void restart(std::uint8_t node);
  void add_header(const FrameHeader& header) { assembler_.add_header(header); }

  /// @param samples  Of a capture; taken, with memory for the next ones in return.
  /// @param phases   Resolved; null when it is not known which frames the capture shows.
  [[nodiscard]] FrameAssembler::Result read(CellSamples& samples, const FramePhases* phases);

  /// After the equaliser, as well as it gets.
  [[nodiscard]] double snr_db(int channel) const;

 private:
  static constexpr std::size_t kViews = 4;

  /// One capture.
  struct View {
    CellSamples samples;
    FramePhases phases;
    int first = 0;  ///< Frames that it shows.
    int last = 0;
    std::array<bool, 3> has_taught{};  ///< The second equaliser of each channel.
  };
  /// Phases along a row of cells.
  struct RowPhases {
    float left = 0;  ///< At the panel's left edge.
    float step = 0;  ///< From column to column.
    int first = 0;   ///< Frames that it shows.
    int last = 0;
    [[nodiscard]] float at(std::size_t column) const {
      return left + step * (static_cast<float>(column) + 0.5F);
    }
  };

  void begin(Stage stage) const;
  /// Tells the observer of llrs_.
  void show_row(const RowPhases& phases,
                int row,
                int frame,
                int channel,
                std::int32_t first,
                std::size_t n) const;
  [[nodiscard]] RowPhases row_phases(const View& view, int row) const;
  void demodulate_view(const View& view);
  void demodulate_row(
      const RowPhases& phases, int row, int frame, int channel, const Equalizer& equalizer);
  void read_again(std::uint16_t sequence, int channel);
  bool find_known(const View& view, int channel);
  void fill_known(const RowPhases& phases, int row, int channel);

  std::shared_ptr<const Layout> layout_;
  std::uint8_t node_;
  int max_iterations_;
  std::shared_ptr<const ReceiverObserver> observer_;
  FrameAssembler assembler_;
  Equalizer first_;                ///< All channels, from samples alone.
  std::vector<Equalizer> second_;  ///< Of red, green (not used), blue, given the channels before.
  std::deque<std::unique_ptr<View>> views_;  ///< Oldest first.
  KnownLevels known_;
  std::vector<std::uint8_t> row_is_known_;
  std::array<std::vector<float>, 3> estimates_;
  std::vector<Llr> llrs_;
};

}  // namespace wccl::phy
