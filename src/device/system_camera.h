#pragma once

#include <string>
#include <vector>

#include "wccl/result.h"

#include "device/camera.h"
#include "device/input.h"

namespace wccl::device {

/// How to open a webcam of this system: by V4L2, AVFoundation or DirectShow.
/// @param name  Number, path or title, or a part of the title; empty: the first one.
/// @return kNotFound when there is none, naming those that there are.
[[nodiscard]] Result<InputRecipe> system_camera_recipe(const std::string& name,
                                                       const CameraFormat& wanted);

/// The one of `cameras` that `name` means. @return null when there is none.
[[nodiscard]] const CameraEntry* find_camera(const std::vector<CameraEntry>& cameras,
                                             const std::string& name);

}  // namespace wccl::device
