#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/image.h"

namespace wccl::room {

/// What the bus does to a picture: JPEG and back, planes in and planes out.
class JpegCodec {
 public:
  JpegCodec();
  ~JpegCodec();
  JpegCodec(JpegCodec&&) noexcept;
  JpegCodec& operator=(JpegCodec&&) noexcept;

  /// Replaces `image` (4:2:0 or 4:4:4) by what comes out. @return the bytes that travelled.
  std::size_t round_trip(YuvImage& image, int quality);
  /// The JPEG of the latest round trip.
  [[nodiscard]] std::span<const std::byte> last() const;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace wccl::room
