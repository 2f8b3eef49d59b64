#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "wccl/result.h"

#include "base/image.h"

namespace wccl::device {

enum class PictureKind : std::uint8_t { kNone, kJpeg, kPng };

/// By its first bytes; eight are enough.
[[nodiscard]] PictureKind kind_of(std::span<const std::byte> first_bytes);

/// Whether it begins as a JPEG that decode_jpeg() takes. @return kCorrupt
[[nodiscard]] Status check_jpeg(std::span<const std::byte> file);
/// JPEG's own planes, without a detour over RGB. @return kCorrupt
[[nodiscard]] Result<YuvImage> decode_jpeg(std::span<const std::byte> file);
/// The planes as they are, sampled as they are, as a JPEG.
/// @param quality  1 to 100. @return kUnsupported for chroma that JPEG does not know, kIo
[[nodiscard]] Result<std::vector<std::byte>> encode_jpeg(const YuvView& picture, int quality);

/// Any PNG, turned into planes with chroma of full size. @return kCorrupt
[[nodiscard]] Result<YuvImage> decode_png(std::span<const std::byte> file);
/// Either. @return kCorrupt
[[nodiscard]] Result<YuvImage> decode_picture(std::span<const std::byte> file);

/// Reads a whole file. @return kNotFound or kIo with its name.
[[nodiscard]] Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                                       std::size_t most_bytes);
/// @return kIo or kCorrupt with its name.
[[nodiscard]] Result<YuvImage> read_picture(const std::filesystem::path& path);

}  // namespace wccl::device
