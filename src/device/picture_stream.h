#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include "device/capture_source.h"

namespace wccl::device {

/// Where the picture at the start of `bytes` ends, as its own markers or chunks say.
/// @return 0 while that cannot be told yet.
[[nodiscard]] std::size_t jpeg_length(std::span<const std::byte> bytes);
[[nodiscard]] std::size_t png_length(std::span<const std::byte> bytes);

/// JPEGs or PNGs, one behind the other in a pipe, as many cameras' programs write them.
class PictureStream final : public CaptureSource {
 public:
  /// @param file   Borrowed.
  /// @param start  What was read of it already.
  PictureStream(std::FILE* file, std::vector<std::byte> start)
      : file_(file), bytes_(std::move(start)) {}

  std::optional<Result<YuvImage>> next() override;

 private:
  [[nodiscard]] bool read_more();

  std::FILE* file_;
  std::vector<std::byte> bytes_;
};

}  // namespace wccl::device
