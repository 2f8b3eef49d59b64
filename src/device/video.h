#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "device/capture_source.h"
#include "device/pipe.h"

namespace wccl::device {

/// The pictures of a recording, whatever FFmpeg can read.
/// @return kCorrupt when it holds no video.
[[nodiscard]] Result<std::unique_ptr<CaptureSource>> open_video(const std::string& name);

/// The same from a pipe. @param name  What messages call it. @param start  What was read already.
[[nodiscard]] Result<std::unique_ptr<CaptureSource>> open_video(const std::string& name,
                                                                ReadBytes read,
                                                                std::vector<std::byte> start);

}  // namespace wccl::device
