#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/image.h"
#include "phy/block_codec.h"
#include "phy/frame_header.h"

namespace wccl::phy {

/// One code block of a frame: where it lies. All of them bear kBlockPayloadBytes.
struct BlockSlot {
  Layer layer;
};

/// The blocks of a frame in this mode on this panel, in the order in which both ends number them.
[[nodiscard]] std::vector<BlockSlot> block_slots(PanelSize panel, ModeId mode);

/// Blocks of bytes -> the picture for the panel. Twin of Receiver.
class Transmitter {
 public:
  explicit Transmitter(PanelSize panel);

  /// @param header    header.panel must be this panel.
  /// @param payloads  One per slot of block_slots(header.panel, header.mode), each of
  ///                  kBlockPayloadBytes; fewer payloads leave the last slots to a filler that
  ///                  receivers do not report.
  [[nodiscard]] RgbImage render(const FrameHeader& header,
                                std::span<const std::vector<std::byte>> payloads) const;

 private:
  PanelSize panel_;
};

}  // namespace wccl::phy
