#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/image.h"
#include "phy/frame_header.h"
#include "phy/mode.h"

namespace wccl::phy {

// Where everything lies on the panel; docs/frame_format.md draws it. The unit is the module: a
// square whose side is a 75th of the panel's shorter side, so that finders look alike on every
// panel.

inline constexpr int kFinderModules = 7;  ///< Side of a finder.
inline constexpr int kCornerModules =
    9;  ///< White border, finder and separator: what a corner takes.
inline constexpr double kFinderCentre =
    4.5;  ///< Modules from the panel's edges to a finder's centre.
inline constexpr int kMarginModules =
    4;                              ///< Border with header strip or sync columns along an edge.
inline constexpr int kTagBits = 4;  ///< Node number in the corners of a finder's bright ring.

/// Corners in the order used everywhere: as the panel's user sees them top left, top right, bottom
/// right, bottom left.
inline constexpr int kCorners = 4;

struct PixelRect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// Side of a module in panel pixels.
[[nodiscard]] int module_px(PanelSize panel);

/// Whether a panel has room for corners, strips and some payload, and the frame header for it.
[[nodiscard]] bool is_panel_supported(PanelSize panel);

/// A header strip lies between two finders. It has a fixed number of cells, so that it can be read
/// before the size of the panel is known.
struct HeaderGrid {
  int columns = 0;
  int rows = 0;
};
[[nodiscard]] HeaderGrid header_grid(PanelSize panel);
/// @param strip  0 the upper one, 1 the lower one.
[[nodiscard]] PixelRect header_cell(PanelSize panel, int strip, int row, int column);
/// Which coded bit a cell of a strip bears; the strips start apart, so that a blot hits different
/// bits.
[[nodiscard]] int header_bit(HeaderGrid grid, int strip, int row, int column);

/// Whether the bit of a cell is sent inverted: a fixed noise, so that no header is a plain bar.
[[nodiscard]] bool is_header_cell_flipped(int strip, int row, int column);

/// Whether the tag module of a finder is dark: the bits of the node, highest first, clockwise from
/// the top left; the finder at the bottom left has them inverted and so tells the orientation.
[[nodiscard]] bool is_tag_dark(int node, int corner, int tag_bit);

/// Top left pixel of a finder's 7 x 7 modules.
[[nodiscard]] PixelRect finder_rect(PanelSize panel, int corner);

/// Sync columns run between the finders on both sides: a dark one, then two with the Gray code of
/// the sequence modulo 4, high bit outside. Bright means 0.
/// @param side   0 left, 1 right.
/// @param column 0 dark, 1 high bit, 2 low bit.
[[nodiscard]] PixelRect sync_rect(PanelSize panel, int side, int column);
[[nodiscard]] bool is_sync_bright(unsigned sequence, int column);

enum class CellKind : std::uint8_t { kReserved, kPilot, kData };

/// The grid of payload cells of a mode on a panel.
class Layout {
 public:
  /// @param mode  A mode of the ladder (find_mode).
  Layout(PanelSize panel, ModeId mode);

  [[nodiscard]] PanelSize panel() const { return panel_; }
  [[nodiscard]] const Mode& mode() const { return *mode_; }
  [[nodiscard]] ModeId mode_id() const { return mode_id_; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int rows() const { return rows_; }
  /// Top left pixel of the grid.
  [[nodiscard]] int origin_x() const { return origin_x_; }
  [[nodiscard]] int origin_y() const { return origin_y_; }
  /// Channels that bear cells: 1 for luma, 3 for R, G, B.
  [[nodiscard]] int channels() const { return mode_->colouring == Colouring::kLuma ? 1 : 3; }
  [[nodiscard]] int levels() const { return 1 << mode_->bits_per_level; }

  [[nodiscard]] std::span<const CellKind> kinds(int row) const { return row_of(kinds_, row); }
  /// For data cells their number in scan order, for pilots theirs; -1 where the grid is reserved.
  [[nodiscard]] std::span<const std::int32_t> indices(int row) const {
    return row_of(indices_, row);
  }
  /// Columns of a row's data cells, from left to right.
  [[nodiscard]] std::span<const std::uint16_t> data_columns(int row) const {
    const auto r = static_cast<std::size_t>(row);
    return std::span(data_columns_).subspan(row_starts_[r], row_starts_[r + 1] - row_starts_[r]);
  }
  /// Level of pilot `index` in a channel.
  [[nodiscard]] int pilot_level(std::int32_t index, int channel) const {
    return pilot_levels_[static_cast<std::size_t>(index)][static_cast<std::size_t>(channel)];
  }

  [[nodiscard]] std::size_t data_cells() const { return data_cells_; }
  [[nodiscard]] std::size_t pilot_cells() const { return pilot_levels_.size(); }
  /// Numbers of a layer's data cells, in scan order.
  [[nodiscard]] std::span<const std::uint32_t> layer_cells(Layer layer) const {
    return half_cells_[layer.half == kBothHalves ? kHalves : static_cast<std::size_t>(layer.half)];
  }
  /// Bits that the data cells of one channel bear.
  [[nodiscard]] std::size_t channel_bits() const;
  /// Blocks of a layer that find room at its code rate; 0 for kNone.
  [[nodiscard]] std::size_t layer_blocks(Layer layer) const;
  /// Blocks of all layers of a channel.
  [[nodiscard]] std::size_t channel_blocks(int channel) const;
  /// Coded bits of each: they share all the layer's bits, so that none is idle, but for a few. 0
  /// for no blocks.
  [[nodiscard]] std::size_t block_bits(Layer layer) const;

 private:
  template <class T>
  [[nodiscard]] std::span<const T> row_of(const std::vector<T>& cells, int row) const {
    const auto n = static_cast<std::size_t>(columns_);
    return std::span<const T>(cells).subspan(static_cast<std::size_t>(row) * n, n);
  }
  [[nodiscard]] std::size_t layer_bits(Layer layer) const;
  [[nodiscard]] bool is_reserved(int row, int column) const;
  void place_pilots();
  void number_cells();

  PanelSize panel_;
  ModeId mode_id_;
  const Mode* mode_;
  int columns_ = 0;
  int rows_ = 0;
  int origin_x_ = 0;
  int origin_y_ = 0;
  std::size_t data_cells_ = 0;
  std::vector<CellKind> kinds_;
  std::vector<std::int32_t> indices_;
  std::array<std::vector<std::uint32_t>, kHalves + 1> half_cells_;  ///< Of each half, and of both.
  std::vector<std::uint16_t> data_columns_;                         ///< Row by row.
  std::vector<std::size_t> row_starts_;  ///< [rows + 1] into data_columns_.
  std::vector<std::array<std::uint8_t, 3>> pilot_levels_;
};

}  // namespace wccl::phy
