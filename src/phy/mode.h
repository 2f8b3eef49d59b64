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

/// One step of the ladder from "always works" to "as fast as it goes".
struct Mode {
  std::string_view name;
  int cell_px = 0;  ///< Side of a cell in panel pixels.
  Colouring colouring = Colouring::kLuma;
  int bits_per_level = 1;  ///< Bits of one cell in one channel: 1 for two levels (Gray PAM).
  /// Code rate of R, G and B; with kLuma only the first counts.
  std::array<CodeRate, 3> code_rates{};
};

/// The ladder, slowest first; a ModeId is an index into it. Append only: the ids are on the air.
[[nodiscard]] std::span<const Mode> modes();
[[nodiscard]] const Mode* find_mode(ModeId id);
[[nodiscard]] std::optional<ModeId> find_mode(std::string_view name);

}  // namespace wccl::phy
