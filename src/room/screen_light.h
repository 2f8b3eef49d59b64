#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "room/camera.h"
#include "room/mosaic.h"
#include "room/panel_light.h"
#include "room/scene.h"
#include "room/screen_projector.h"
#include "room/settling.h"

namespace wccl::room {

/// The light of one panel in one camera. Each display frame is projected once; a capture then mixes
/// the frames row by row, as scan-out, settling, exposure and read-out say.
///
/// Frames are blurred before they are mixed. Within the few rows of the blur the mixing hardly
/// changes, so this is the same as the other order to better than the converter's step.
class ScreenLight {
 public:
  ScreenLight(const NodeSpec& looker, const NodeSpec& shower);

  [[nodiscard]] const ScreenProjector& projector() const { return projector_; }
  [[nodiscard]] double white_nits() const { return panel_.white_nits; }

  /// Projects what `history` shows in a capture that begins at `captured_at` and is not projected
  /// yet.
  void prepare(const PanelHistory& history, Instant captured_at, double exposure_ms);

  /// Adds the panel's light, in cd/m^2 behind lens and filter, to a row of the picture.
  void add_row(int y, std::span<float> nits) const;

 private:
  struct Frame {
    std::shared_ptr<const RgbImage> picture;
    MosaicPlane plane;
    bool used = false;
  };
  struct Step {
    double at_ms = 0;  ///< After the capture began.
    const Frame* to = nullptr;
  };

  const Frame* projected(const std::shared_ptr<const RgbImage>& picture);
  void drop_unused();
  void add_step(int row,
                double row_ms,
                const Step& step,
                const MosaicPlane& from,
                std::span<float> target) const;
  [[nodiscard]] double row_ms(int region_row) const;

  ScreenProjector projector_;
  PanelLight light_;
  PanelSpec panel_;
  double readout_ms_;
  int picture_height_;
  std::vector<std::unique_ptr<Frame>> frames_;
  // Of the capture under way:
  const Frame* base_ = nullptr;  ///< What had settled before the first row was exposed.
  std::vector<Step> steps_;
  std::vector<StepTable> tables_;  ///< Rise and fall.
  double exposure_ms_ = 0;
};

}  // namespace wccl::room
