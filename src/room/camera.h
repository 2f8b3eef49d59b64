#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/image.h"
#include "room/scene.h"

namespace wccl::room {

/// From `at` on, row after row, a panel shows `frame`. Null is a black screen.
struct PanelChange {
  Instant at;
  std::shared_ptr<const RgbImage> frame;  ///< Of the panel's size.
};

/// What one panel has shown, oldest change first. Before the first change it is black.
using PanelHistory = std::vector<PanelChange>;

/// What the camera did to its latest capture.
struct CaptureInfo {
  double exposure_ms = 0;
  double gain = 1;
  int jpeg_quality = 0;
  std::size_t jpeg_bytes = 0;
};

/// One webcam at its place in a scene: panels' light goes in, decoded MJPEG pictures come out. Auto
/// exposure, white balance and the encoder's quality evolve from capture to capture.
class Camera {
 public:
  /// @param seed  Of the noise and of where the automatics start; split by node, so that all
  /// cameras may share one.
  Camera(const Scene& scene, int node, std::uint64_t seed);
  ~Camera();
  Camera(Camera&&) noexcept;
  Camera& operator=(Camera&&) noexcept;

  /// @param panels       One per node; this camera's own is not looked at. Must reach back
  /// history() before `captured_at`.
  /// @param captured_at  When the first row is read out; row r of n follows r / n of the read-out
  /// time later, and
  ///                     its exposure ends there.
  [[nodiscard]] YuvImage capture(std::span<const PanelHistory> panels, Instant captured_at);

  /// Light, places and optics are others from the next capture on; automatics and noise go on.
  /// @param scene  Of the same panels and cameras.
  void change(const Scene& scene);

  [[nodiscard]] const CaptureInfo& last() const;
  /// The latest capture as it came over the bus.
  [[nodiscard]] std::span<const std::byte> last_jpeg() const;

  /// How far back before a capture a panel's history matters.
  [[nodiscard]] Duration history() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wccl::room
