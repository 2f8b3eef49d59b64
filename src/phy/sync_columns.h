#pragma once

#include <cstdint>
#include <vector>

#include "base/image.h"
#include "phy/receiver.h"
#include "phy/screen_geometry.h"

namespace wccl::phy {

/// Which display frames a capture holds, at which height of the panel, and in which shares. A phase
/// of 6.3 stands for 70% of frame 6 and 30% of frame 7.
class FramePhases {
 public:
  struct Row {
    float left = 0;   ///< Phase at the panel's left edge.
    float right = 0;  ///< And at its right edge.
  };

  /// Reads the sync columns on both sides. They tell a sequence modulo 4.
  [[nodiscard]] static FramePhases read(const PlaneView& luma, const ScreenGeometry& geometry);

  /// Makes the phases absolute: from `back` frames before `sequence` to 4 - `back` after it.
  void resolve(std::uint16_t sequence, float back);

  /// @param y  In panel pixels.
  [[nodiscard]] Row at(double y) const;

  /// The frames that the capture holds, oldest first, each with its mean share over the rows.
  [[nodiscard]] std::vector<FrameShare> shares() const;

 private:
  double top_ = 0;
  double pitch_ = 1;
  std::vector<Row> rows_;
};

}  // namespace wccl::phy
