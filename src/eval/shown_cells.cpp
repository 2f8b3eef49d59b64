#include "eval/shown_cells.h"

#include <algorithm>

#include "phy/block_codec.h"
#include "phy/interleaver.h"
#include "phy/transmitter.h"

namespace wccl::eval {

ShownCells read_cells(const RgbImage& frame, const phy::Layout& layout) {
  ShownCells cells;
  const auto n_channels = static_cast<std::size_t>(layout.channels());
  for (std::size_t channel = 0; channel < n_channels; ++channel) {
    cells.levels[channel].resize(layout.data_cells());
  }
  const int cell_px = layout.mode().cell_px;
  const int steps = layout.levels() - 1;
  for (int row = 0; row < layout.rows(); ++row) {
    const auto kinds = layout.kinds(row);
    const auto indices = layout.indices(row);
    const std::uint8_t* pixels = frame.row(layout.origin_y() + row * cell_px + cell_px / 2);
    for (std::size_t column = 0; column < kinds.size(); ++column) {
      if (kinds[column] != phy::CellKind::kData) {
        continue;
      }
      const int x = layout.origin_x() + static_cast<int>(column) * cell_px + cell_px / 2;
      for (std::size_t channel = 0; channel < n_channels; ++channel) {
        const int value = pixels[static_cast<std::size_t>(x) * 3 + channel];
        cells.levels[channel][static_cast<std::size_t>(indices[column])] =
            static_cast<std::uint8_t>((value * steps + 127) / 255);
      }
    }
  }
  return cells;
}

ShownCells cells_of_blocks(const phy::FrameHeader& header,
                           const std::vector<phy::ReceivedBlock>& blocks,
                           const phy::Layout& layout) {
  const auto slots = phy::block_slots(header.panel, header.mode);
  std::vector<std::vector<std::byte>> payloads;
  std::vector<bool> decoded(slots.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    payloads.emplace_back(phy::kBlockPayloadBytes);
  }
  for (const phy::ReceivedBlock& block : blocks) {
    payloads.at(static_cast<std::size_t>(block.index)) = block.payload;
    decoded.at(static_cast<std::size_t>(block.index)) = true;
  }
  ShownCells cells = read_cells(phy::Transmitter(header.panel).render(header, payloads), layout);
  std::array<std::size_t, phy::kMostLayers> n_before{};
  const auto bits_per_cell = static_cast<std::size_t>(layout.mode().bits_per_level);
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const phy::Layer layer = slots[slot].layer;
    auto& known = cells.known[static_cast<std::size_t>(layer.channel)];
    known.resize(layout.data_cells());
    const std::size_t block = n_before[phy::index_of(layer)]++;
    if (!decoded[slot]) {
      continue;
    }
    const auto of_layer = layout.layer_cells(layer);
    const phy::Interleaver interleaver(layout.layer_blocks(layer), layout.block_bits(layer));
    for (std::size_t bit = 0; bit < layout.block_bits(layer); ++bit) {
      known[of_layer[interleaver.place_of({.block = block, .bit = bit}) / bits_per_cell]] = 1;
    }
  }
  return cells;
}

}  // namespace wccl::eval
