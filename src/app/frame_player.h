#pragma once

#include <cstdint>
#include <functional>

#include "wccl/result.h"

#include "app/frame_prefetch.h"
#include "device/screen.h"

namespace wccl::app {

/// Shows each frame for `hold` refreshes of the screen.
/// @param on_frame  Told how many were shown; false ends it.
/// @return when frames or `on_frame` ended; kCancelled when the user has left, or the error of a
/// frame or the screen.
Status play_frames(FramePrefetch& frames,
                   device::Screen& screen,
                   int hold,
                   const std::function<bool(std::uint64_t shown)>& on_frame);

}  // namespace wccl::app
