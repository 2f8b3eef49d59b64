#pragma once

#include "wccl/result.h"

#include "device/camera.h"
#include "device/camera_choice.h"
#include "device/input.h"

namespace wccl::device {

/// How FFmpeg is to open a camera on this system.
/// @return kNotFound when there is no such camera.
[[nodiscard]] Result<InputRecipe> camera_recipe(const CameraChoice& choice,
                                                const CameraFormat& wanted);

}  // namespace wccl::device
