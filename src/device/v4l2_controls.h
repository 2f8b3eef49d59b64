#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/v4l2.h"

namespace wccl::device {

/// Stops what a webcam of Linux changes by itself, and puts it back at the end.
class V4l2Controls {
 public:
  explicit V4l2Controls(V4l2Ioctl ioctl) : ioctl_(std::move(ioctl)) {}
  ~V4l2Controls();
  V4l2Controls(const V4l2Controls&) = delete;
  V4l2Controls& operator=(const V4l2Controls&) = delete;

  /// Keeps exposure, white balance and focus as they are now; exposure no longer than half the time
  /// between two pictures, as longer ones mix frames.
  /// @return what could not be stopped, a line each.
  [[nodiscard]] std::vector<std::string> lock(double fps);

 private:
  [[nodiscard]] std::optional<std::int32_t> get(std::uint32_t control) const;
  /// Remembers what was there before. @return whether the camera took it.
  bool set(std::uint32_t control, std::int32_t value);
  [[nodiscard]] std::optional<std::string> lock_exposure(double fps);

  V4l2Ioctl ioctl_;
  std::vector<std::pair<std::uint32_t, std::int32_t>> before_;  ///< In the order of change.
};

}  // namespace wccl::device
