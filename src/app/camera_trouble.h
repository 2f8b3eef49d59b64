#pragma once

#include <string>

#include "base/capture.h"
#include "device/camera.h"
#include "session/device_session.h"

namespace wccl::app {

/// What is wrong with a camera, whatever it is aimed at: pictures that do not come, that cannot be
/// decoded or that are too small. Empty when nothing is.
/// @param last  What came last; without an owner before the first.
/// @param now   Of the clock by which captures are dated, which began with the camera.
[[nodiscard]] std::string camera_trouble(const device::Camera& camera,
                                         const Capture& last,
                                         Instant now);

/// Why a session found nobody in time: its camera, when that is what is wrong, else `error`.
[[nodiscard]] Error blame_camera(const Error& error, const session::DeviceSession& session);

}  // namespace wccl::app
