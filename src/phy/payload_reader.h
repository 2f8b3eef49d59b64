#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "phy/cell_sampler.h"
#include "phy/demodulator.h"
#include "phy/equalizer.h"
#include "phy/equalizers.h"
#include "phy/frame_assembler.h"
#include "phy/known_levels.h"
#include "phy/layout.h"
#include "phy/receiver.h"
#include "phy/row_phases.h"
#include "phy/sync_columns.h"

namespace wccl::phy {

/// Sampled cells of a screen, capture by capture -> blocks.
///
/// Successive interference cancellation (Cover, IEEE Trans. Inf. Theory 1972), layer by layer: the
/// first half of green is decoded from the samples alone. Then its cells' light is known, and the
/// second half is estimated given its four neighbours, red given green, and so on. For this the
/// last captures' samples are kept: a frame is spread over up to three of them. Likewise, where
/// rows mix two frames, the one that is known already is taken out of the mixture.
class PayloadReader {
 public:
  /// @param equalizers  Of cells like this layout's; they learn from what is read.
  PayloadReader(std::shared_ptr<const Layout> layout,
                std::uint8_t node,
                const ReceiverOptions& options,
                std::shared_ptr<Equalizers> equalizers);

  /// The sender began anew: half-read frames are dropped, what was learned of colours stays.
  void restart(std::uint8_t node);
  void add_header(const FrameHeader& header) { assembler_.add_header(header); }

  /// @param samples  Of a capture; taken, with memory for the next ones in return.
  /// @param phases   Resolved; null when it is not known which frames the capture shows.
  /// @param teaches  Whether the pilots in it are those of this layout.
  [[nodiscard]] FrameAssembler::Result read(CellSamples& samples,
                                            const FramePhases* phases,
                                            bool teaches);

  /// Of a channel's first half, after the equaliser, as well as it gets.
  [[nodiscard]] double snr_db(int channel) const;

 private:
  static constexpr std::size_t kViews = 4;

  /// How a layer is read once those before it are known.
  struct LayerReader {
    Layer layer;
    std::span<const Layer> needed;
    Equalizer* informed = nullptr;  ///< Null for the first, which needs nothing.
    /// What was there to be known when a frame was last tried, for the latest frames.
    std::array<std::pair<std::uint16_t, std::size_t>, 8> tried{};
  };
  /// One capture.
  struct View {
    CellSamples samples;
    FramePhases phases;
    std::size_t number = 0;
    int first = 0;  ///< Frames that it shows.
    int last = 0;
    std::array<bool, kMostLayers> has_taught{};  ///< The equaliser of each later layer.
    KnownLevels known;
    std::array<std::size_t, 3> n_known{};  ///< Blocks that `known` takes in, of each channel.
    [[nodiscard]] bool shows(std::uint16_t sequence) const;
  };

  void begin(Stage stage) const;
  /// Tells the observer of llrs_.
  void show_row(const RowQuery& query, std::size_t n_llrs) const;
  View& take(CellSamples& samples, const FramePhases& phases);
  [[nodiscard]] RowPhases row_phases(const View& view, int row) const;
  [[nodiscard]] bool is_left_for_later(Layer layer) const;
  void demodulate_view(const View& view);
  void demodulate(
      const RowPhases& phases, int row, int frame, Layer layer, const Equalizer& equalizer);
  [[nodiscard]] std::size_t evidence_for(std::uint16_t sequence) const;
  void read_again(std::uint16_t sequence, LayerReader& reader);
  void read_again(View& view, std::uint16_t sequence, LayerReader& reader);
  [[nodiscard]] static bool is_lesson_due(const View& view, const LayerReader& reader);
  [[nodiscard]] bool find_known_rows(const View& view, const LayerReader& reader);
  void fill_known(View& view, int channel) const;
  void fill_known_row(const View& view, int row, int channel, std::span<float> out) const;

  std::shared_ptr<const Layout> layout_;
  std::uint8_t node_;
  ReceiverOptions options_;
  FrameAssembler assembler_;
  std::shared_ptr<Equalizers> equalizers_;
  Equalizer& plain_;                         ///< All channels, from samples alone.
  std::vector<LayerReader> readers_;         ///< In the order of decoding.
  std::deque<std::unique_ptr<View>> views_;  ///< Oldest first.
  std::size_t n_captures_ = 0;
  std::size_t n_views_ = 0;
  std::vector<std::uint8_t> row_is_known_;
  std::array<std::vector<float>, 3> estimates_;
  RowScratch scratch_;
  std::vector<Llr> llrs_;
};

}  // namespace wccl::phy
