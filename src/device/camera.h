#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "base/capture.h"
#include "base/clock.h"
#include "device/steady_time.h"

namespace wccl::device {

/// What a camera gives, or is asked for; 0 and empty: whatever is best.
struct CameraFormat {
  int width_px = 0;
  int height_px = 0;
  double fps = 0;
  std::string coding;  ///< "mjpeg", "yuyv422", ...
};

struct CameraCounts {
  std::uint64_t captures = 0;  ///< That came from the device.
  std::uint64_t dropped = 0;   ///< That gave way to newer ones before anybody took them.
  std::uint64_t torn = 0;      ///< That could not be decoded.
  std::uint64_t reopened = 0;  ///< Times that it had vanished and was found again.
};

/// A live camera: a thread of its own takes what the device gives, and whoever asks gets the newest
/// picture, never one that has waited behind others.
class Camera {
 public:
  virtual ~Camera() = default;
  Camera() = default;
  Camera(const Camera&) = delete;
  Camera& operator=(const Camera&) = delete;

  /// Blocks until there is a capture that has not been taken yet.
  /// @return nothing when none came within `patience` (a camera that has vanished is opened again
  /// meanwhile); an error only when there will never be another: the end of a file.
  [[nodiscard]] virtual Result<std::optional<Capture>> next(Duration patience) = 0;

  /// Stops the automatics (exposure, white balance, focus) where they are now, which is best done
  /// when the other screens are in view; they go on when the camera closes. From the thread that
  /// calls next().
  /// @return what could not be stopped and what to do about it, a line each.
  [[nodiscard]] virtual std::vector<std::string> lock_automatics() { return {}; }

  /// What messages call it: "Integrated Camera (/dev/video0)".
  [[nodiscard]] virtual std::string name() const = 0;
  /// As read back from the device; of a stream the size is 0 until its first capture tells.
  [[nodiscard]] virtual CameraFormat format() const = 0;
  /// What the user should know, a line each: "gives 640x480 at 15 frames/s, not 1920x1080 at 30".
  [[nodiscard]] virtual std::vector<std::string> warnings() const = 0;
  [[nodiscard]] virtual CameraCounts counts() const = 0;
};

/// Opens what --camera names: a number or a name of list_cameras(), `x11grab:DISPLAY[[+X,Y]:WxH]`,
/// a URL, or a file (which then plays at its own speed). Empty: the first camera.
/// @param time  Borrowed; captures are dated by it.
/// @return kNotFound, kIo (busy, no permission) or kCorrupt, in a line that says what to do.
[[nodiscard]] Result<std::unique_ptr<Camera>> open_camera(const std::string& choice,
                                                          const CameraFormat& wanted,
                                                          const SteadyTime& time);

struct CameraEntry {
  std::string name;    ///< "/dev/video0": what --camera takes.
  std::string title;   ///< "Integrated Camera".
  std::string system;  ///< "v4l2", "avfoundation", "dshow".
  std::vector<CameraFormat> formats;
};
/// @return empty when there is none.
[[nodiscard]] std::vector<CameraEntry> list_cameras();

}  // namespace wccl::device
