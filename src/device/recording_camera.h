#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "device/camera.h"
#include "device/camera_reader.h"
#include "device/capture_decoder.h"
#include "device/format_choice.h"

namespace wccl::device {

/// A capture as the content of a JPEG file.
struct CaptureFile {
  std::vector<std::byte> jpeg;
  Instant captured_at;
};

/// A camera of which every capture counts, and not the newest alone: they are kept as they came,
/// where they came as JPEGs, and compressed with hardly a loss where not.
class RecordingCamera {
 public:
  /// As open_camera().
  [[nodiscard]] static Result<std::unique_ptr<RecordingCamera>> open(const std::string& choice,
                                                                     const CameraFormat& wanted,
                                                                     const SteadyTime& time);

  /// As Camera::next(), but in order; only when many wait are some dropped. One that cannot be
  /// decoded is kCorrupt, and the next call goes on.
  [[nodiscard]] Result<std::optional<CaptureFile>> next(Duration patience);

  [[nodiscard]] std::string name() const { return reader_->recipe().name; }
  [[nodiscard]] CameraFormat format() const { return reader_->format(); }
  /// As Camera::warnings(); of a stream there are none before its first capture.
  [[nodiscard]] std::optional<std::string> warning() const {
    return format_warning(format(), wanted_);
  }
  [[nodiscard]] CameraCounts counts() const { return reader_->counts(); }

 private:
  RecordingCamera(std::unique_ptr<CameraReader> reader, CameraFormat wanted)
      : reader_(std::move(reader)), wanted_(std::move(wanted)) {}

  std::unique_ptr<CameraReader> reader_;
  CameraFormat wanted_;
  CaptureDecoder decoder_;
};

}  // namespace wccl::device
