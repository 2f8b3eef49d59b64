#pragma once

#include <memory>

#include "wccl/result.h"

#include "device/camera_reader.h"
#include "device/frame_planes.h"

namespace wccl::device {

/// What a camera sent, made into planes that phy reads (view_of()).
class CaptureDecoder {
 public:
  /// @return null for a torn one; kUnsupported for pictures of an odd kind.
  [[nodiscard]] Result<FfmpegOwner<AVFrame>> decode(RawCapture capture);

 private:
  [[nodiscard]] FfmpegOwner<AVFrame> unpack(RawCapture capture);

  std::shared_ptr<const AVCodecParameters> coding_;  ///< What the decoder was made for.
  std::unique_ptr<PacketDecoder> decoder_;
  FramePlanes planes_;
};

}  // namespace wccl::device
