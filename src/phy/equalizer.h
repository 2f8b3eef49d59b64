#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phy/cell_sampler.h"
#include "phy/known_levels.h"
#include "phy/layout.h"

namespace wccl::phy {

/// What an equalised cell is worth, around one place of the screen: estimate = gain * level +
/// noise, with levels from -1 (dark) to 1 (bright).
struct ChannelState {
  float gain = 0;
  float noise_var = 1;
};

/// Linear minimum mean square error estimates of R, G and B (or luma) of each cell from 5 x 5 luma
/// samples half a cell apart and 3 x 3 chroma samples: undoes blur, Bayer and chroma subsampling,
/// crosstalk.
///
/// Its taps are fitted to the pilots by ridge regression, in regions, because focus, light and
/// angle change over a screen. The screen's earlier captures count with less and less weight.
class Equalizer {
 public:
  static constexpr int kTilesAcross = 8;
  static constexpr int kTilesDown = 6;

  /// All channels at once, from samples alone.
  /// @param neighbourhood  False: only from the samples at a cell's centre.
  explicit Equalizer(int channels, bool neighbourhood = true);
  /// One channel when other cells' levels are known: their light needs no suppression then, and
  /// what is left of the noise is much less.
  struct Knowledge {
    std::vector<int> channels;    ///< 3 x 3 cells around the one in question.
    bool own_neighbours = false;  ///< The cells above, below, left and right, in the same channel.
  };
  Equalizer(int channels, int target, Knowledge knowledge);

  /// Takes in the pilots of one capture and computes new taps. Once it knows enough, each second
  /// row of pilots will do, in turn.
  /// @param use_row  [rows] which rows to learn from; empty for all.
  void train(const Layout& layout,
             const CellSamples& samples,
             const KnownLevels* known = nullptr,
             std::span<const std::uint8_t> use_row = {});
  /// What was learned stays, but gives way to new lessons as fast as at first.
  void learn_fast() { n_lessons_ = 0; }
  [[nodiscard]] bool is_trained() const { return trained_; }
  /// Whether it has seen many more pilots than it has taps.
  [[nodiscard]] bool knows_enough() const;
  /// @param estimates  [channels][columns]: levels from -1 to 1, of a row of cells.
  /// @param known      For an equaliser that counts on others' levels.
  /// @param skip       Channels that are not asked for.
  void apply(const CellSamples& samples,
             int row,
             std::array<std::vector<float>, 3>& estimates,
             const KnownLevels* known = nullptr,
             std::array<bool, 3> skip = {}) const;
  /// @param tile_row, tile  As tile_of() says.
  [[nodiscard]] const ChannelState& state(int channel, int tile) const {
    return states_[static_cast<std::size_t>(channel)][static_cast<std::size_t>(tile)];
  }
  /// Tiles cover the grid in equal parts; the row's and the column's part of the number add up.
  [[nodiscard]] static int tile_row(int row, int rows) {
    return row * kTilesDown / rows * kTilesAcross;
  }
  [[nodiscard]] static int tile_column(int column, int columns) {
    return column * kTilesAcross / columns;
  }
  /// The columns for which tile_column() gives this tile.
  struct Columns {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  [[nodiscard]] static Columns columns_of_tile(std::size_t tile, std::size_t columns) {
    return {(tile * columns + kTilesAcross - 1) / kTilesAcross,
            ((tile + 1) * columns + kTilesAcross - 1) / kTilesAcross};
  }
  /// Mean over the screen, in dB; what remains of a level difference against the noise.
  [[nodiscard]] double snr_db(int channel) const;

 private:
  static constexpr int kRegionsAcross = 4;
  static constexpr int kRegionsDown = 3;
  static constexpr int kRegions = kRegionsAcross * kRegionsDown;
  static constexpr int kTiles = kTilesAcross * kTilesDown;

  /// The inputs and targets of some pilots, one pilot after the other.
  struct Lesson {
    std::vector<float> inputs;         ///< [pilots][stride]
    std::vector<std::int32_t> pilots;  ///< Their numbers.
    std::vector<std::uint8_t> tiles;
    std::vector<std::uint8_t> regions;
  };

  /// Normal equations of one region, weighted by age.
  struct Region {
    std::vector<float> normal;  ///< [n_taps][stride], lower triangle.
    std::vector<float> right;   ///< [targets][stride]
    double weight = 0;          ///< Pilots, weighted by age.
  };
  /// Sums over the pilots of a tile, weighted by age.
  struct TileSums {
    double weight = 0;
    double product = 0;  ///< Of estimate and level.
    double square = 0;   ///< Of estimates.
    double power = 0;    ///< Of levels.
  };

  static constexpr std::size_t kMostTaps = 72;  // A whole number of SIMD registers.
  using Inputs = std::array<const float*, kMostTaps>;

  Equalizer(std::vector<int> targets, Knowledge knowledge, bool with_chroma, bool neighbourhood);
  void inputs_of(const CellSamples& samples, const KnownLevels* known, int row, Inputs& in) const;
  void forget();
  void collect(const Layout& layout,
               const CellSamples& samples,
               const KnownLevels* known,
               std::span<const std::uint8_t> use_row);
  void accumulate(const Layout& layout);
  void solve();
  void blend_tiles();
  void measure(const Layout& layout);
  void settle_states();
  std::vector<int> targets_;  ///< Channels that it estimates.
  Knowledge knowledge_;
  bool with_chroma_;
  int luma_reach_;    ///< Half cells each way.
  int chroma_reach_;  ///< Cells each way.
  int n_taps_;
  std::size_t stride_;  ///< Taps, to the end of a SIMD register.
  Lesson lesson_;       ///< Of the capture in hand.
  int n_lessons_ = 0;
  std::array<Region, kRegions> regions_;
  std::vector<float> region_taps_;  ///< [region][target][n_taps]
  std::vector<float> tile_taps_;    ///< [tile][target][n_taps]
  std::array<std::array<TileSums, kTiles>, 3> sums_{};
  std::array<std::array<ChannelState, kTiles>, 3> states_{};
  bool trained_ = false;
};

}  // namespace wccl::phy
