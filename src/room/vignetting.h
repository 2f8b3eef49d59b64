#pragma once

#include "base/image.h"
#include "room/scene.h"

namespace wccl::room {

/// Share of the light that the lens lets through at a pixel position: falls with the square of the
/// distance from the picture's middle, to 1 - vignetting in the corners.
[[nodiscard]] inline double vignetting_at(const CameraSpec& camera, Point pixel) {
  const double x = pixel.x / camera.width_px - 0.5;
  const double y = pixel.y / camera.height_px - 0.5;
  const double aspect = static_cast<double>(camera.height_px) / camera.width_px;
  const double corner2 = 0.25 * (1 + aspect * aspect);
  return 1 - camera.vignetting * (x * x + y * y * aspect * aspect) / corner2;
}

}  // namespace wccl::room
