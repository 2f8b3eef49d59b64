#pragma once

#include <filesystem>

#include "wccl/result.h"

#include "base/image.h"

namespace wccl::app {

/// Writes a display frame as PNG, fast: rows that repeat the one above cost next to nothing.
/// @return kIo with the path when the file cannot be written; nothing is left behind then.
Status write_frame_png(const std::filesystem::path& path, const RgbImage& frame);

}  // namespace wccl::app
