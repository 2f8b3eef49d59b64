#pragma once

#include <functional>

#include "wccl/result.h"

#include "eval/figures.h"
#include "eval/point.h"

namespace wccl::eval {

/// From the camera's first capture until frames are counted: exposure and white balance are then at
/// home, and the receiver has found the screen if it can.
inline constexpr double kSettleS = 0.5;

/// Random payloads through transmitter, panel, light, camera and receiver, from the cold start of
/// the camera. Every byte that comes out is compared with what went in.
/// @param is_cancelled  Asked before each capture.
/// @return kCancelled, or kInvalidArgument for a point that cannot be.
[[nodiscard]] Result<Figures> measure_in_room(const Point& point,
                                              const std::function<bool()>& is_cancelled);

}  // namespace wccl::eval
