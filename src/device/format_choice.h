#pragma once

#include <optional>
#include <span>
#include <string>

#include "device/camera.h"

namespace wccl::device {

/// What is best for reading screens: more pixels cost more to decode than they bring, more pictures
/// a second get less light, and USB 2 carries this much only as MJPEG.
inline const CameraFormat kBestCameraFormat{1920, 1080, 30, "mjpeg"};

/// The offered format that comes nearest to what is wanted (where that says nothing, to the best).
/// @return null when nothing is offered.
[[nodiscard]] const CameraFormat* nearest_format(std::span<const CameraFormat> offered,
                                                 const CameraFormat& wanted);

/// "gives 640x480 at 15 pictures/s, not 1920x1080 at 30", when a camera gives less than was wanted,
/// or too little to read small cells when nothing was. What is not known is not judged.
[[nodiscard]] std::optional<std::string> format_warning(const CameraFormat& given,
                                                        const CameraFormat& wanted);

}  // namespace wccl::device
