#pragma once

#include "base/rng.h"
#include "room/image_processor.h"
#include "room/scene.h"
#include "room/sensor.h"

namespace wccl::room {

/// Auto exposure, auto white balance and the encoder's rate control: what a webcam changes by
/// itself from capture to capture, starting wrong.
class Automatics {
 public:
  /// @param first_guess  Exposure time times gain that would suit what is in view when the camera
  /// starts.
  Automatics(const CameraSpec& camera, WhiteBalance neutral, double first_guess_ms, Rng rng);

  [[nodiscard]] Exposure exposure() const;
  [[nodiscard]] WhiteBalance balance() const;
  [[nodiscard]] int jpeg_quality() const;

  /// The camera has other limits from now on.
  void adopt(const CameraSpec& camera) { camera_ = camera; }

  /// Learns from a capture what the next one should be.
  void update(const RawPicture& raw, std::size_t jpeg_bytes);

 private:
  CameraSpec camera_;
  WhiteBalance neutral_;
  Rng rng_;
  double product_ms_;  ///< Exposure time times gain.
  double red_error_;   ///< Natural logarithms of what the gains are off by.
  double blue_error_;
  double quality_;
};

}  // namespace wccl::room
