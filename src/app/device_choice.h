#pragma once

#include <optional>
#include <string>

namespace wccl::app {

/// The screen and the camera that a command is to use.
struct DeviceChoice {
  std::optional<std::string> screen;  ///< As device::open_screen takes it.
  std::optional<std::string> camera;  ///< As device::open_camera takes it.
  bool gentle = false;                ///< Few changes a second, of low contrast.
  double calibration_s = 120;         ///< Within which all laptops must have seen one another.

  /// Whether real devices were asked for at all.
  [[nodiscard]] bool given() const { return screen.has_value() || camera.has_value(); }
};

}  // namespace wccl::app
