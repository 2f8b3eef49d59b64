#pragma once

#include <memory>

#include "base/clock.h"
#include "base/image.h"

namespace wccl {

/// One camera picture and what keeps it in memory, so that nobody needs to copy it.
struct Capture {
  YuvView picture;
  std::shared_ptr<const void> owner;  ///< Of the planes.
  Instant captured_at;  ///< When its first row was read out, as well as the camera can tell.
};

/// A capture that owns `image`.
[[nodiscard]] inline Capture make_capture(std::shared_ptr<const YuvImage> image,
                                          Instant captured_at) {
  const YuvView picture = image->view();
  return {picture, std::move(image), captured_at};
}

}  // namespace wccl
