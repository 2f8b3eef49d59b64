#pragma once

#include <array>
#include <functional>
#include <optional>

#include "base/image.h"
#include "phy/frame_header.h"
#include "phy/layout.h"

namespace wccl::phy {

/// Where a point of a panel, in modules from its top left corner, appears in the capture.
using ModuleMap = std::function<Point(Point)>;

/// A panel's size in modules. Good to a few percent before a header is read, exact after it.
struct PanelModules {
  double width = 0;
  double height = 0;
};

/// Both header strips of one capture, told apart because a capture can hold two display frames.
struct HeaderReading {
  std::array<std::optional<FrameHeader>, 2> strips;  ///< Upper, lower.
  std::optional<std::uint8_t> foreign_version;       ///< What a strip says that is not ours.

  [[nodiscard]] const FrameHeader* any() const {
    if (strips[0]) {
      return &*strips[0];
    }
    return strips[1] ? &*strips[1] : nullptr;
  }
};

enum class HeaderEffort {
  kQuick,     ///< For trying many places: each strip by itself, clean captures only.
  kThorough,  ///< Captures that mix frames half and half as well, and both strips together.
};

/// Reads the strips of a panel seen in a capture. When neither can be read by itself, their sum is
/// tried: they mostly bear the same bits. Cells outside the picture are left open.
[[nodiscard]] HeaderReading read_headers(const PlaneView& luma,
                                         const ModuleMap& map,
                                         PanelModules size,
                                         HeaderGrid grid,
                                         HeaderEffort effort = HeaderEffort::kThorough);

}  // namespace wccl::phy
