#pragma once

#include <string>

#include "base/capture.h"
#include "device/camera.h"

namespace wccl::device {

/// What is wrong with a camera, whatever it is aimed at: pictures that do not come, that cannot be
/// decoded or that are too small. Empty when nothing is.
/// @param last  What came last; without an owner before the first.
/// @param now   Of the clock by which captures are dated, which began with the camera.
[[nodiscard]] std::string camera_trouble(const Camera& camera, const Capture& last, Instant now);

}  // namespace wccl::device
