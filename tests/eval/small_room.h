#pragma once

#include "eval/plan.h"

namespace wccl::eval {

/// Points that take a fraction of a second each: a small camera before a small panel, few captures.
inline PlanRequest small_room() {
  PlanRequest request;
  request.scenes = {"face_1080p"};
  request.modes = {"luma12-0.5", "rgb8-1.5"};
  request.axes = parse_sweep("camera=960x540,panel=1024x640,distance=0.8").value();
  request.captures = 4;
  return request;
}

}  // namespace wccl::eval
