#pragma once

#include <memory>

#include "device/ffmpeg.h"

namespace wccl::device {

/// Packets in, pictures out, on one thread and without delay.
class PacketDecoder {
 public:
  /// @return null for a coding that this FFmpeg cannot read.
  [[nodiscard]] static std::unique_ptr<PacketDecoder> open(const AVCodecParameters& coding);

  /// @param packet  Null at the end: what is held back comes out.
  void send(const AVPacket* packet) { avcodec_send_packet(codec_.get(), packet); }
  /// @return the next picture that is ready; null when there is none.
  [[nodiscard]] FfmpegOwner<AVFrame> receive();

 private:
  explicit PacketDecoder(FfmpegOwner<AVCodecContext> codec) : codec_(std::move(codec)) {}

  FfmpegOwner<AVCodecContext> codec_;
};

/// Whether each packet is a whole picture, that needs none before it.
[[nodiscard]] bool is_intra_only(AVCodecID codec);

}  // namespace wccl::device
