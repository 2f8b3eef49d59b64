#include "device/automatics_lock.h"

#include <fmt/format.h>
#ifdef __linux__
#include <sys/ioctl.h>
#endif

#include "device/format_choice.h"

namespace wccl::device {

AutomaticsLock::AutomaticsLock(const InputRecipe& camera, double fps) {
#ifdef __linux__
  if (camera.format == "v4l2") {
    device_ = std::make_unique<FileDescriptor>(camera.url.c_str(), O_RDWR | O_NONBLOCK);
    controls_ = std::make_unique<V4l2Controls>([this](unsigned long request, void* argument) {
      return ::ioctl(device_->number(), request, argument);
    });
    for (const auto& line : controls_->lock(fps > 0 ? fps : kBestCameraFormat.fps)) {
      warnings_.push_back(fmt::format("{} {}", camera.name, line));
    }
    return;
  }
#endif
  static_cast<void>(fps);
  if (camera.is_device && camera.format != "x11grab") {
    warnings_.push_back(
        fmt::format("{}: this system cannot lock its exposure: keep the light in the room steady",
                    camera.name));
  } else if (!camera.is_device && !camera.is_file) {
    warnings_.push_back(fmt::format(
        "{}: lock exposure, white balance and focus in the camera's own app", camera.name));
  }
}

}  // namespace wccl::device
