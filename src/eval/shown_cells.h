#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/image.h"
#include "phy/layout.h"
#include "phy/receiver.h"

namespace wccl::eval {

/// Levels of a frame's data cells in scan order, as the panel showed them.
struct ShownCells {
  std::array<std::vector<std::uint8_t>, 3> levels;  ///< [channel][data cells]
  /// [channel][data cells] 1 where the level is known; empty when all are.
  std::array<std::vector<std::uint8_t>, 3> known;
};

/// Reads them off the picture that the panel shows.
[[nodiscard]] ShownCells read_cells(const RgbImage& frame, const phy::Layout& layout);

/// What can be said of a frame of which some blocks were decoded: those, encoded again.
[[nodiscard]] ShownCells cells_of_blocks(const phy::FrameHeader& header,
                                         const std::vector<phy::ReceivedBlock>& blocks,
                                         const phy::Layout& layout);

}  // namespace wccl::eval
