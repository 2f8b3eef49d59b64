#pragma once

#include <cstdint>
#include <vector>

#include "wccl/transport.h"

#include "base/image.h"
#include "phy/transmitter.h"

namespace wccl::fuzz {

/// A frame on a small panel, and what it bears.
struct ShownFrame {
  phy::FrameHeader header;
  std::vector<Bytes> payloads;
  YuvImage picture;  ///< As a camera sees it that looks straight at it, pixel by pixel.
};

inline constexpr phy::PanelSize kSmallPanel{320, 224};
/// Has room for a block of luma.
inline constexpr phy::PanelSize kLargerPanel{480, 300};
/// Grey around the panel in the picture, on each side.
inline constexpr int kMarginPx = 24;

/// @param sequence  Also chooses what the blocks hold.
[[nodiscard]] ShownFrame show(std::uint8_t node,
                              std::uint16_t sequence,
                              phy::ModeId mode,
                              phy::PanelSize panel = kSmallPanel);

}  // namespace wccl::fuzz
