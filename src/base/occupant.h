#pragma once

#include <functional>
#include <memory>

#include "base/capture.h"
#include "base/clock.h"
#include "base/image.h"

namespace wccl {

/// Paints a frame; on any thread, while the world goes on. Empty: the panel keeps what it shows.
using Painting = std::function<std::shared_ptr<const RgbImage>()>;

/// What lives behind a panel and a webcam, and has nothing else: the room drives it in virtual
/// time, a real screen and camera in real time.
class Occupant {
 public:
  virtual ~Occupant() = default;
  Occupant() = default;
  Occupant(const Occupant&) = delete;
  Occupant& operator=(const Occupant&) = delete;

  /// Event loop; once a refresh of the panel. @return what to show from this refresh on.
  virtual Painting next_frame(Instant now) = 0;

  /// Worker thread, one capture of this occupant at a time and in order, while the world goes on.
  /// Must not touch what the other calls touch.
  /// @return what the event loop runs when the capture arrives (after the camera's latency).
  virtual std::function<void(Instant now)> decode(const Capture& capture) = 0;
};

}  // namespace wccl
