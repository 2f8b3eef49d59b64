#pragma once

#include <filesystem>

#include "wccl/result.h"

#include "base/image.h"

namespace wccl::room {

/// @return kIo with the path when the file cannot be written; nothing is left behind then.
Status write_png(const std::filesystem::path& path, const RgbImage& image);

/// Any PNG, converted to 8-bit RGB.
/// @return kIo or kCorrupt with the path.
[[nodiscard]] Result<RgbImage> read_png(const std::filesystem::path& path);

}  // namespace wccl::room
