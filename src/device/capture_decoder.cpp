#include "device/capture_decoder.h"

#include <utility>

namespace wccl::device {

FfmpegOwner<AVFrame> CaptureDecoder::unpack(RawCapture capture) {
  if (capture.frame) {
    return std::move(capture.frame);
  }
  // A camera that was opened again may have changed.
  if (capture.coding != coding_) {
    coding_ = std::move(capture.coding);
    decoder_ = PacketDecoder::open(*coding_);
  }
  if (!decoder_) {
    return nullptr;
  }
  decoder_->send(capture.packet.get());
  return decoder_->receive();
}

Result<FfmpegOwner<AVFrame>> CaptureDecoder::decode(RawCapture capture) {
  auto frame = unpack(std::move(capture));
  if (!frame) {
    return frame;
  }
  return planes_.convert(std::move(frame));
}

}  // namespace wccl::device
