#pragma once

#include <array>

#include "phy/mode.h"

namespace wccl::link {

/// How well a receiver sees a screen, as its acknowledgements say.
struct ViewQuality {
  phy::ModeId mode = 0;            ///< In which the figures were measured.
  std::array<double, 3> snr_db{};  ///< Per channel; luma fills the first.
  double cell_px = 0;              ///< Cell of that mode in camera pixels.
};

struct Margin {
  double db = 0;    ///< What the weakest layer has to spare.
  int channel = 0;  ///< Whose layer that is.
};

/// What a mode would have to spare in one clean capture, judged from what another one showed.
///
/// Green's SNR over the cell's size in camera pixels was the same curve within a dB in face_1080p,
/// side_view and dim; the other layers keep their distance from green. Red and blue are not judged
/// by what they showed, because a receiver that does not need cancellation in a mode does not tell
/// what it would bring in another.
[[nodiscard]] Margin predict_margin(const ViewQuality& view,
                                    const phy::Mode& from,
                                    const phy::Mode& to);

}  // namespace wccl::link
