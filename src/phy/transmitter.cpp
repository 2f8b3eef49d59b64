#include "phy/transmitter.h"

#include <array>
#include <cassert>
#include <cstring>

#include "base/bits.h"
#include "phy/block_codec.h"
#include "phy/interleaver.h"
#include "phy/layout.h"
#include "phy/modulator.h"
#include "phy/scrambler.h"

namespace wccl::phy {
namespace {

constexpr std::uint8_t kBright = 255;
constexpr std::uint8_t kDark = 0;
constexpr std::uint8_t kIdle = 128;  // Pixels of the grid's rest, too few for a cell.

void fill(RgbImage& image, PixelRect rect, std::uint8_t grey) {
  for (int y = rect.y; y < rect.y + rect.height; ++y) {
    std::memset(image.row(y) + static_cast<std::ptrdiff_t>(rect.x) * 3, grey,
                static_cast<std::size_t>(rect.width) * 3);
  }
}

PixelRect inset(PixelRect rect, int by) {
  return {rect.x + by, rect.y + by, rect.width - 2 * by, rect.height - 2 * by};
}

void paint_finder(RgbImage& image, PanelSize panel, int corner, int node) {
  const int module = module_px(panel);
  const PixelRect outer = finder_rect(panel, corner);
  fill(image, outer, kDark);
  fill(image, inset(outer, module), kBright);
  fill(image, inset(outer, 2 * module), kDark);
  const int far = (kFinderModules - 2) * module;
  const std::array<std::array<int, 2>, kTagBits> tags{
      {{module, module}, {far, module}, {far, far}, {module, far}}};
  for (int bit = 0; bit < kTagBits; ++bit) {
    if (!is_tag_dark(node, corner, bit)) {
      continue;
    }
    const auto [dx, dy] = tags[static_cast<std::size_t>(bit)];
    fill(image, {outer.x + dx, outer.y + dy, module, module}, kDark);
  }
}

void paint_corners(RgbImage& image, const FrameHeader& header) {
  const PanelSize panel = header.panel;
  const int corner_px = kCornerModules * module_px(panel);
  for (int corner = 0; corner < kCorners; ++corner) {
    const bool right = corner == 1 || corner == 2;
    const bool bottom = corner >= 2;
    fill(image,
         {right ? panel.width_px - corner_px : 0, bottom ? panel.height_px - corner_px : 0,
          corner_px, corner_px},
         kBright);
    paint_finder(image, panel, corner, header.node);
  }
}

void paint_border(RgbImage& image, PanelSize panel) {
  const int module = module_px(panel);
  fill(image, {0, 0, panel.width_px, module}, kBright);
  fill(image, {0, panel.height_px - module, panel.width_px, module}, kBright);
  fill(image, {0, 0, module, panel.height_px}, kBright);
  fill(image, {panel.width_px - module, 0, module, panel.height_px}, kBright);
}

void paint_header(RgbImage& image, const FrameHeader& header) {
  const BitVector bits = encode_header(header);
  const HeaderGrid grid = header_grid(header.panel);
  for (int strip = 0; strip < 2; ++strip) {
    for (int row = 0; row < grid.rows; ++row) {
      for (int column = 0; column < grid.columns; ++column) {
        const auto bit = static_cast<std::size_t>(header_bit(grid, strip, row, column));
        const bool is_dark = (bits[bit] != 0) != is_header_cell_flipped(strip, row, column);
        fill(image, header_cell(header.panel, strip, row, column), is_dark ? kDark : kBright);
      }
    }
  }
}

void paint_sync_columns(RgbImage& image, const FrameHeader& header) {
  for (int side = 0; side < 2; ++side) {
    for (int column = 0; column < 3; ++column) {
      fill(image, sync_rect(header.panel, side, column),
           is_sync_bright(header.sequence, column) ? kBright : kDark);
    }
  }
}

/// Coded and interleaved bits of one layer, into the bits of its channel's data cells.
void encode_layer(const Layout& layout,
                  Layer layer,
                  std::span<const std::vector<std::byte>> payloads,
                  BitVector& bits) {
  const std::size_t n_blocks = layout.layer_blocks(layer);
  if (n_blocks == 0) {
    return;
  }
  const std::size_t n_coded = layout.block_bits(layer);
  const auto cells = layout.layer_cells(layer);
  const auto bits_per_level = static_cast<std::size_t>(layout.mode().bits_per_level);
  const Interleaver interleaver(n_blocks, n_coded);
  const BitVector filler = payloads.size() < n_blocks ? encode_filler(n_coded) : BitVector();
  for (std::size_t block = 0; block < n_blocks; ++block) {
    const BitVector coded =
        block < payloads.size() ? encode_block(payloads[block], n_coded) : filler;
    for (std::size_t bit = 0; bit < coded.size(); ++bit) {
      const std::size_t place = interleaver.place_of({.block = block, .bit = bit});
      bits[cells[place / bits_per_level] * bits_per_level + place % bits_per_level] = coded[bit];
    }
  }
}

using CellColour = std::array<std::uint8_t, 3>;

/// Colours of the data cells in scan order.
std::vector<CellColour> modulate(const Layout& layout,
                                 const FrameHeader& header,
                                 std::span<const std::vector<std::byte>> payloads) {
  std::vector<CellColour> colours(layout.data_cells());
  const auto bits_per_level = static_cast<std::size_t>(layout.mode().bits_per_level);
  std::array<BitVector, 3> channel_bits;
  for (BitVector& bits : channel_bits) {
    bits.resize(layout.channel_bits());
  }
  for (const Layer layer : layers(layout.mode().colouring)) {
    const std::size_t n_mine = std::min(payloads.size(), layout.layer_blocks(layer));
    encode_layer(layout, layer, payloads.first(n_mine),
                 channel_bits[static_cast<std::size_t>(layer.channel)]);
    payloads = payloads.subspan(n_mine);
  }
  for (int channel = 0; channel < layout.channels(); ++channel) {
    BitVector& bits = channel_bits[static_cast<std::size_t>(channel)];
    Scrambler(header.node, header.sequence, channel).apply(bits);
    for (std::size_t cell = 0; cell < colours.size(); ++cell) {
      const int level = level_of(std::span(bits).subspan(cell * bits_per_level, bits_per_level));
      colours[cell][static_cast<std::size_t>(channel)] = level_value(level, layout.levels());
    }
  }
  if (layout.channels() == 1) {
    for (CellColour& colour : colours) {
      colour[1] = colour[2] = colour[0];
    }
  }
  return colours;
}

CellColour pilot_colour(const Layout& layout, std::int32_t index) {
  CellColour colour{};
  for (int channel = 0; channel < 3; ++channel) {
    colour[static_cast<std::size_t>(channel)] =
        level_value(layout.pilot_level(index, channel), layout.levels());
  }
  return colour;
}

void paint_cells(RgbImage& image, const Layout& layout, std::span<const CellColour> data) {
  const int cell_px = layout.mode().cell_px;
  for (int row = 0; row < layout.rows(); ++row) {
    const auto kinds = layout.kinds(row);
    const auto indices = layout.indices(row);
    const int y = layout.origin_y() + row * cell_px;
    std::uint8_t* const first = image.row(y) + static_cast<std::ptrdiff_t>(layout.origin_x()) * 3;
    std::uint8_t* pixel = first;
    for (std::size_t column = 0; column < kinds.size(); ++column) {
      if (kinds[column] == CellKind::kReserved) {
        pixel += static_cast<std::ptrdiff_t>(cell_px) * 3;
        continue;
      }
      const CellColour colour = kinds[column] == CellKind::kPilot
                                    ? pilot_colour(layout, indices[column])
                                    : data[static_cast<std::size_t>(indices[column])];
      for (int i = 0; i < cell_px; ++i) {
        *pixel++ = colour[0];
        *pixel++ = colour[1];
        *pixel++ = colour[2];
      }
    }
    const auto n_bytes = static_cast<std::size_t>(pixel - first);
    for (int i = 1; i < cell_px; ++i) {
      std::memcpy(image.row(y + i) + static_cast<std::ptrdiff_t>(layout.origin_x()) * 3, first,
                  n_bytes);
    }
  }
}

/// The grid with the idle grey around it; corners come later.
void paint_payload(RgbImage& image, const Layout& layout, std::span<const CellColour> data) {
  const int margin_px = kMarginModules * module_px(layout.panel());
  fill(image, {margin_px, margin_px, image.width - 2 * margin_px, image.height - 2 * margin_px},
       kIdle);
  paint_cells(image, layout, data);
}

}  // namespace

std::vector<BlockSlot> block_slots(PanelSize panel, ModeId mode) {
  std::vector<BlockSlot> slots;
  if (!is_panel_supported(panel) || find_mode(mode) == nullptr) {
    return slots;
  }
  const Layout layout(panel, mode);
  for (const Layer layer : layers(layout.mode().colouring)) {
    slots.resize(slots.size() + layout.layer_blocks(layer), {layer});
  }
  return slots;
}

Transmitter::Transmitter(PanelSize panel) : panel_(panel) {
  assert(is_panel_supported(panel));
}

RgbImage Transmitter::render(const FrameHeader& header,
                             std::span<const std::vector<std::byte>> payloads) const {
  assert(header.panel == panel_);
  const Layout layout(panel_, header.mode);
  RgbImage image(panel_.width_px, panel_.height_px);
  paint_border(image, panel_);
  paint_payload(image, layout, modulate(layout, header, payloads));
  paint_corners(image, header);
  paint_header(image, header);
  paint_sync_columns(image, header);
  return image;
}

}  // namespace wccl::phy
