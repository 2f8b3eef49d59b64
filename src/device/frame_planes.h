#pragma once

#include "wccl/result.h"

#include "base/image.h"
#include "device/ffmpeg.h"

namespace wccl::device {

/// Makes of whatever FFmpeg decoded what phy reads: 8-bit planes of full range. Those that are such
/// already (MJPEG's) pass untouched.
class FramePlanes {
 public:
  /// @return `frame` itself, or a new one; kUnsupported for pictures of an odd kind.
  [[nodiscard]] Result<FfmpegOwner<AVFrame>> convert(FfmpegOwner<AVFrame> frame);

 private:
  [[nodiscard]] Result<FfmpegOwner<AVFrame>> to_planes(const AVFrame& frame);

  FfmpegOwner<SwsContext> scaler_;
};

/// @param frame  Borrowed: what convert() gave.
[[nodiscard]] YuvView view_of(const AVFrame& frame);

}  // namespace wccl::device
