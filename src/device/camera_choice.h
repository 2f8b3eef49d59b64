#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wccl/result.h"

#include "device/size_text.h"

namespace wccl::device {

/// What --camera names.
struct CameraChoice {
  enum class Kind {
    kDevice,   ///< A webcam by number, path or title; empty: the first one.
    kDisplay,  ///< A part of an X display.
    kUrl,      ///< Whatever FFmpeg reads from a network.
    kFile,
  };
  Kind kind = Kind::kDevice;
  std::string name;  ///< Of the device, the display (":99"), the URL, the path.
  int x = 0;         ///< Of a display: where the part begins,
  int y = 0;
  std::optional<PixelSize> size;  ///< and how large it is, if not all from there.
};

/// "", "0", "/dev/video0", "Integrated Camera", "x11grab::99", "x11grab::99+10,20:640x480",
/// "http://phone:8080/video", "capture.mp4". Files are told by being there.
/// @return kInvalidArgument
[[nodiscard]] Result<CameraChoice> parse_camera_choice(std::string_view text);

}  // namespace wccl::device
