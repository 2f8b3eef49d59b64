#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/capture_source.h"
#include "device/pipe.h"

namespace wccl::device {

/// Where the picture at the start of `bytes` ends, as its own markers or chunks say.
/// @param from  Where to look: 0 at first, later where it was left, with more bytes behind.
/// @return 0 while that cannot be told yet.
[[nodiscard]] std::size_t jpeg_length(std::span<const std::byte> bytes, std::size_t& from);
[[nodiscard]] std::size_t png_length(std::span<const std::byte> bytes, std::size_t& from);

/// JPEGs or PNGs, one behind the other in a pipe, as many cameras' programs write them.
class PictureStream final : public CaptureSource {
 public:
  /// @param name   What messages call it.
  /// @param start  What was read of it already.
  PictureStream(std::string name, ReadBytes read, std::vector<std::byte> start)
      : name_(std::move(name)), read_(std::move(read)), bytes_(std::move(start)) {}

  std::optional<Result<YuvImage>> next() override;

 private:
  [[nodiscard]] bool read_more();

  std::string name_;
  ReadBytes read_;
  std::vector<std::byte> bytes_;
  std::size_t looked_at_ = 0;  ///< Of the picture that they begin with.
};

}  // namespace wccl::device
