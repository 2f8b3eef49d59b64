#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/camera.h"

namespace wccl::device {

/// The ioctl() of an open device. @return what ioctl does: below 0 on failure.
using V4l2Ioctl = std::function<int(unsigned long request, void* argument)>;

/// What a device calls itself. @return nothing when it gives no pictures: the second device of a
/// webcam, for metadata.
[[nodiscard]] std::optional<std::string> v4l2_title(const V4l2Ioctl& ioctl);
/// What it can give, of the codings that we can read.
[[nodiscard]] std::vector<CameraFormat> v4l2_formats(const V4l2Ioctl& ioctl);

/// The cameras of Linux, in the order of their numbers; elsewhere none. One that may not be opened
/// is among them, with no formats.
[[nodiscard]] std::vector<CameraEntry> list_v4l2_cameras();

}  // namespace wccl::device
