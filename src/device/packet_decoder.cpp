#include "device/packet_decoder.h"

#include <utility>

namespace wccl::device {

std::unique_ptr<PacketDecoder> PacketDecoder::open(const AVCodecParameters& coding) {
  const AVCodec* const kind = avcodec_find_decoder(coding.codec_id);
  if (kind == nullptr) {
    return nullptr;
  }
  FfmpegOwner<AVCodecContext> codec(avcodec_alloc_context3(kind));
  // Threads of frames would hold pictures back.
  codec->thread_count = 1;
  codec->flags |= AV_CODEC_FLAG_LOW_DELAY;
  if (avcodec_parameters_to_context(codec.get(), &coding) < 0 ||
      avcodec_open2(codec.get(), kind, nullptr) < 0) {
    return nullptr;
  }
  return std::unique_ptr<PacketDecoder>(new PacketDecoder(std::move(codec)));
}

FfmpegOwner<AVFrame> PacketDecoder::receive() {
  FfmpegOwner<AVFrame> frame(av_frame_alloc());
  if (avcodec_receive_frame(codec_.get(), frame.get()) < 0) {
    return nullptr;
  }
  return frame;
}

bool is_intra_only(AVCodecID codec) {
  const AVCodecDescriptor* const descriptor = avcodec_descriptor_get(codec);
  return descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
}

}  // namespace wccl::device
