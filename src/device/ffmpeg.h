#pragma once

#include <memory>
#include <string>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

namespace wccl::device {

struct FfmpegCloser {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVCodecParameters* parameters) const { avcodec_parameters_free(&parameters); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
  void operator()(AVIOContext* context) const {
    av_freep(static_cast<void*>(&context->buffer));
    avio_context_free(&context);
  }
};
template <class T>
using FfmpegOwner = std::unique_ptr<T, FfmpegCloser>;

/// Devices and networks switched on, FFmpeg's own chatter off: we say what is wrong, in one line.
void prepare_ffmpeg();

/// "Connection refused".
[[nodiscard]] std::string ffmpeg_error(int code);

}  // namespace wccl::device
