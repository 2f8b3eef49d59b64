#include "phy/layout.h"

#include <algorithm>
#include <cassert>

#include "base/splitmix.h"

namespace wccl::phy {
namespace {

constexpr int kMostSidePx = 4095;  // 12 bits in the frame header.
constexpr int kHeaderLongColumns = 98;
constexpr int kHeaderShortColumns = 49;
constexpr int kHeaderCells = 294;
// Prime to kHeaderCodedBits: neighbours bear bits that are far apart.
constexpr int kHeaderStep = 61;
// Half a row of 98 cells: of two strips that keep only their inner rows, the outer ones cut off by
// the picture's edge, most bits are left; and a blot on the same columns hits different bits.
constexpr int kHeaderStripStep = 49 * kHeaderStep % kHeaderCodedBits;
constexpr std::uint64_t kHeaderNoise = std::uint64_t{0xff} << 56U;
constexpr int kPilotPitch = 4;  // One pilot in every 4 x 4 cells.
static_assert(kHeaderCells >= kHeaderCodedBits);
static_assert(kHeaderCodedBits % kHeaderStep != 0);

bool overlaps(const PixelRect& a, const PixelRect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace

int module_px(PanelSize panel) {
  const int shorter = std::min(panel.width_px, panel.height_px);
  return std::max(8, (2 * shorter + 75) / 150);
}

bool is_panel_supported(PanelSize panel) {
  const int least = 3 * kCornerModules * module_px(panel);
  return std::min(panel.width_px, panel.height_px) >= least &&
         std::max(panel.width_px, panel.height_px) <= kMostSidePx;
}

HeaderGrid header_grid(PanelSize panel) {
  const int columns = panel.width_px >= panel.height_px ? kHeaderLongColumns : kHeaderShortColumns;
  return {columns, kHeaderCells / columns};
}

PixelRect header_cell(PanelSize panel, int strip, int row, int column) {
  const int module = module_px(panel);
  const HeaderGrid grid = header_grid(panel);
  const int span_px = panel.width_px - 2 * kCornerModules * module;
  const int depth_px = (kMarginModules - 1) * module;
  const int left = column * span_px / grid.columns;
  const int right = (column + 1) * span_px / grid.columns;
  const int top = row * depth_px / grid.rows;
  const int bottom = (row + 1) * depth_px / grid.rows;
  const int strip_y = strip == 0 ? module : panel.height_px - kMarginModules * module;
  return {kCornerModules * module + left, strip_y + top, right - left, bottom - top};
}

int header_bit(HeaderGrid grid, int strip, int row, int column) {
  const int cell = row * grid.columns + column;
  return (cell * kHeaderStep + strip * kHeaderStripStep) % kHeaderCodedBits;
}

bool is_header_cell_flipped(int strip, int row, int column) {
  const auto cell = static_cast<std::uint64_t>((strip * 8 + row) * 128 + column);
  return (splitmix64(kHeaderNoise + cell) & 1U) != 0;
}

bool is_tag_dark(int node, int corner, int tag_bit) {
  const bool bit = ((node >> (kTagBits - 1 - tag_bit)) & 1) != 0;
  return bit != (corner == 3);
}

PixelRect finder_rect(PanelSize panel, int corner) {
  const int module = module_px(panel);
  const int side = kFinderModules * module;
  const bool right = corner == 1 || corner == 2;
  const bool bottom = corner >= 2;
  return {right ? panel.width_px - module - side : module,
          bottom ? panel.height_px - module - side : module, side, side};
}

PixelRect sync_rect(PanelSize panel, int side, int column) {
  const int module = module_px(panel);
  const int x = side == 0 ? (1 + column) * module : panel.width_px - (2 + column) * module;
  return {x, kCornerModules * module, module, panel.height_px - 2 * kCornerModules * module};
}

bool is_sync_bright(unsigned sequence, int column) {
  if (column == 0) {
    return false;
  }
  const unsigned phase = sequence % 4;
  const unsigned gray = phase ^ (phase >> 1U);
  return ((gray >> (column == 1 ? 1U : 0U)) & 1U) == 0;
}

Layout::Layout(PanelSize panel, ModeId mode)
    : panel_(panel), mode_id_(mode), mode_(find_mode(mode)) {
  assert(mode_ != nullptr);
  if (!is_panel_supported(panel)) {
    return;
  }
  const int margin_px = kMarginModules * module_px(panel);
  const int width_px = panel.width_px - 2 * margin_px;
  const int height_px = panel.height_px - 2 * margin_px;
  columns_ = width_px / mode_->cell_px;
  rows_ = height_px / mode_->cell_px;
  origin_x_ = margin_px + (width_px % mode_->cell_px) / 2;
  origin_y_ = margin_px + (height_px % mode_->cell_px) / 2;
  place_pilots();
  number_cells();
}

bool Layout::is_reserved(int row, int column) const {
  const int corner_px = kCornerModules * module_px(panel_);
  const PixelRect cell{origin_x_ + column * mode_->cell_px, origin_y_ + row * mode_->cell_px,
                       mode_->cell_px, mode_->cell_px};
  for (int corner = 0; corner < kCorners; ++corner) {
    const int x = corner == 1 || corner == 2 ? panel_.width_px - corner_px : 0;
    const int y = corner >= 2 ? panel_.height_px - corner_px : 0;
    if (overlaps(cell, {x, y, corner_px, corner_px})) {
      return true;
    }
  }
  return false;
}

void Layout::place_pilots() {
  kinds_.resize(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_));
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column);
      if (is_reserved(row, column)) {
        continue;
      }
      const auto block = (static_cast<std::uint64_t>(mode_id_) << 40U) |
                         (static_cast<std::uint64_t>(row / kPilotPitch) << 20U) |
                         static_cast<std::uint64_t>(column / kPilotPitch);
      const std::uint64_t noise = splitmix64(block);
      const bool is_pilot = static_cast<int>(noise % kPilotPitch) == row % kPilotPitch &&
                            static_cast<int>((noise >> 2U) % kPilotPitch) == column % kPilotPitch;
      kinds_[at] = is_pilot ? CellKind::kPilot : CellKind::kData;
      if (!is_pilot) {
        continue;
      }
      std::array<std::uint8_t, 3> level{};
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const std::size_t source = channels() == 1 ? 0 : channel;
        level[channel] = static_cast<std::uint8_t>((noise >> (8U + 8U * source)) &
                                                   static_cast<unsigned>(levels() - 1));
      }
      pilot_levels_.push_back(level);
    }
  }
}

void Layout::number_cells() {
  indices_.assign(kinds_.size(), -1);
  std::int32_t pilots = 0;
  std::int32_t data = 0;
  for (std::size_t cell = 0; cell < kinds_.size(); ++cell) {
    const std::size_t row = cell / static_cast<std::size_t>(columns_);
    const std::size_t column = cell % static_cast<std::size_t>(columns_);
    if (column == 0) {
      row_starts_.push_back(data_columns_.size());
    }
    if (kinds_[cell] == CellKind::kPilot) {
      indices_[cell] = pilots++;
    }
    if (kinds_[cell] == CellKind::kData) {
      data_columns_.push_back(static_cast<std::uint16_t>(column));
      half_cells_[(row + column) % kHalves].push_back(static_cast<std::uint32_t>(data));
      half_cells_[kHalves].push_back(static_cast<std::uint32_t>(data));
      indices_[cell] = data++;
    }
  }
  row_starts_.push_back(data_columns_.size());
  data_cells_ = static_cast<std::size_t>(data);
}

std::size_t Layout::channel_bits() const {
  return data_cells_ * static_cast<std::size_t>(mode_->bits_per_level);
}

std::size_t Layout::layer_bits(Layer layer) const {
  return layer_cells(layer).size() * static_cast<std::size_t>(mode_->bits_per_level);
}

std::size_t Layout::layer_blocks(Layer layer) const {
  if (layer.channel >= channels() || mode_->code_rate(layer) == CodeRate::kNone) {
    return 0;
  }
  const std::size_t n_coded = block_coded_bits(mode_->code_rate(layer));
  return layer_bits(layer) / n_coded;
}

std::size_t Layout::channel_blocks(int channel) const {
  std::size_t n = 0;
  for (const Layer layer : layers(mode_->colouring)) {
    n += layer.channel == channel ? layer_blocks(layer) : 0;
  }
  return n;
}

std::size_t Layout::block_bits(Layer layer) const {
  const std::size_t n_blocks = layer_blocks(layer);
  return n_blocks == 0 ? 0 : layer_bits(layer) / n_blocks;
}

}  // namespace wccl::phy
