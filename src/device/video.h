#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "device/capture_source.h"

namespace wccl::device {

/// The pictures of a recording, whatever FFmpeg can read.
/// @return kCorrupt when it holds no video.
[[nodiscard]] Result<std::unique_ptr<CaptureSource>> open_video(const std::string& name);

/// The same from a pipe. @param file  Borrowed. @param start  What was read of it already.
[[nodiscard]] Result<std::unique_ptr<CaptureSource>> open_video(std::FILE* file,
                                                                std::vector<std::byte> start);

}  // namespace wccl::device
