#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "phy/code_rate.h"

namespace wccl::phy {

/// Index into the ladder of modes; travels in the frame header.
using ModeId = std::uint8_t;

enum class Colouring : std::uint8_t {
  kLuma,  ///< R = G = B: one channel of cells. Survives any chroma subsampling.
  kRgb,   ///< R, G and B each bear bits of their own.
};

/// The grid of cells is a checkerboard: a cell's half is (row + column) % 2.
inline constexpr int kHalves = 2;
inline constexpr int kBothHalves = -1;

/// The cells of one channel on one half of the checkerboard: what is decoded in one go. Later
/// layers know the cells of the earlier ones, among them all four neighbours of their own cells'
/// channel when the first half has been read; so each layer has a code rate of its own. Luma, with
/// its large cells, is a single layer.
struct Layer {
  int channel = 0;  ///< 0 R (or luma), 1 G, 2 B.
  int half = 0;     ///< Or kBothHalves.
};

inline constexpr std::size_t kMostLayers = 3 * kHalves;
[[nodiscard]] constexpr std::size_t index_of(Layer layer) {
  return static_cast<std::size_t>(layer.channel * kHalves + (layer.half == 1 ? 1 : 0));
}

/// In the order of decoding. Green comes first: cameras see it best.
[[nodiscard]] std::span<const Layer> layers(Colouring colouring);

/// One step of the ladder from "always works" to "as fast as it goes".
struct Mode {
  std::string_view name;  ///< Colours, cell_px, and about how many bits a cell bears.
  int cell_px = 0;        ///< Side of a cell in panel pixels.
  Colouring colouring = Colouring::kLuma;
  int bits_per_level = 1;  ///< Bits of one cell in one channel: 1 for two levels (Gray PAM).
  std::array<CodeRate, kMostLayers> code_rates{};  ///< As index_of() counts layers.

  [[nodiscard]] CodeRate code_rate(Layer layer) const { return code_rates[index_of(layer)]; }
};

/// The ladder, from few bits on a panel to many; a ModeId is an index into it.
[[nodiscard]] std::span<const Mode> modes();
[[nodiscard]] const Mode* find_mode(ModeId id);
[[nodiscard]] std::optional<ModeId> find_mode(std::string_view name);

}  // namespace wccl::phy
