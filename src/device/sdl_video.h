#pragma once

#include "wccl/result.h"

namespace wccl::device {

/// SDL's video part, switched on while one of these lives.
class SdlVideo {
 public:
  /// @return kNotFound where there is no display to show anything on.
  [[nodiscard]] static Result<SdlVideo> open();
  ~SdlVideo();
  SdlVideo(SdlVideo&& other) noexcept;
  SdlVideo& operator=(SdlVideo&&) = delete;

 private:
  SdlVideo() = default;
  bool is_owner_ = true;
};

}  // namespace wccl::device
