#pragma once

#include <functional>

#include "wccl/result.h"

#include "device/capture_source.h"
#include "eval/figures.h"

namespace wccl::eval {

struct RecordingOptions {
  double fps = 30;
  std::function<bool()> is_cancelled = {};
  std::function<void(int n_captures)> on_capture = {};
};

/// The same figures, as far as captures tell them: cells are known where their block was decoded.
/// The first screen that is read counts, and the mode that it shows first.
/// @return kNotFound when no frame could be read; kCancelled.
[[nodiscard]] Result<PointResult> measure_recording(device::CaptureSource& captures,
                                                    const RecordingOptions& options);

}  // namespace wccl::eval
