#include "device/frame_planes.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

#include "device/packed_rgb.h"

namespace wccl::device {
namespace {

using Frame = FfmpegOwner<AVFrame>;
using Table = std::array<std::uint8_t, 256>;

bool is_full_range(const AVFrame& frame) {
  switch (frame.format) {
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ444P:
    case AV_PIX_FMT_YUVJ440P:
      return true;
    default:
      return frame.color_range == AVCOL_RANGE_JPEG;
  }
}

bool is_planar_yuv(int format) {
  constexpr std::array kFormats{AV_PIX_FMT_YUV420P,  AV_PIX_FMT_YUV422P,  AV_PIX_FMT_YUV444P,
                                AV_PIX_FMT_YUV440P,  AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P,
                                AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P};
  return std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end();
}

/// The planes that hold the same samples as a packed format; anything else becomes 4:4:4.
AVPixelFormat planes_for(int format) {
  switch (format) {
    case AV_PIX_FMT_YUYV422:
    case AV_PIX_FMT_UYVY422:
    case AV_PIX_FMT_YVYU422:
      return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_NV12:
    case AV_PIX_FMT_NV21:
      return AV_PIX_FMT_YUV420P;
    default:
      return AV_PIX_FMT_YUVJ444P;
  }
}

/// Full range, as JFIF and phy have it, from the range of television.
Table stretch(int zero, int from, int to) {
  Table table{};
  for (int i = 0; i < 256; ++i) {
    const int value = zero == 128 ? 128 + ((i - 128) * to + (i < 128 ? -from / 2 : from / 2)) / from
                                  : ((i - zero) * to + from / 2) / from;
    table[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
  }
  return table;
}

Frame make_frame(int format, int width, int height) {
  Frame frame(av_frame_alloc());
  frame->format = format;
  frame->width = width;
  frame->height = height;
  if (av_frame_get_buffer(frame.get(), 0) < 0) {
    return nullptr;
  }
  return frame;
}

void map_plane(const Table& table,
               const PlaneView& from,
               std::uint8_t* to,
               std::ptrdiff_t to_stride) {
  for (int y = 0; y < from.height; ++y) {
    const std::uint8_t* const source = from.row(y);
    std::uint8_t* const target = to + y * to_stride;
    for (int x = 0; x < from.width; ++x) {
      target[x] = table[source[x]];
    }
  }
}

/// @return the frame in full range: a new one, as a decoder may still need the old.
Frame stretched(const AVFrame& frame) {
  static const Table kLuma = stretch(16, 219, 255);
  static const Table kChroma = stretch(128, 224, 255);
  Frame full = make_frame(frame.format, frame.width, frame.height);
  if (!full) {
    return nullptr;
  }
  const YuvView view = view_of(frame);
  map_plane(kLuma, view.y, full->data[0], full->linesize[0]);
  map_plane(kChroma, view.cb, full->data[1], full->linesize[1]);
  map_plane(kChroma, view.cr, full->data[2], full->linesize[2]);
  full->color_range = AVCOL_RANGE_JPEG;
  return full;
}

tl::unexpected<Error> out_of_memory() {
  return fail(ErrorCode::kIo, "out of memory for a picture");
}

}  // namespace

Result<Frame> FramePlanes::to_planes(const AVFrame& frame) {
  if (is_packed_rgb(frame.format)) {
    Frame planes = make_frame(AV_PIX_FMT_YUVJ444P, frame.width, frame.height);
    if (!planes) {
      return out_of_memory();
    }
    packed_rgb_to_planes(frame, *planes);
    return planes;
  }
  const AVPixelFormat target = planes_for(frame.format);
  scaler_.reset(sws_getCachedContext(
      scaler_.release(), frame.width, frame.height, static_cast<AVPixelFormat>(frame.format),
      frame.width, frame.height, target, SWS_POINT | SWS_ACCURATE_RND, nullptr, nullptr, nullptr));
  if (!scaler_) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("pictures of a kind that cannot be read ({})",
                            av_get_pix_fmt_name(static_cast<AVPixelFormat>(frame.format))));
  }
  Frame planes = make_frame(target, frame.width, frame.height);
  if (!planes) {
    return out_of_memory();
  }
  planes->color_range = frame.color_range;
  sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, planes->data,
            planes->linesize);
  return planes;
}

Result<Frame> FramePlanes::convert(Frame frame) {
  if (!is_planar_yuv(frame->format)) {
    auto planes = to_planes(*frame);
    if (!planes) {
      return planes;
    }
    frame = std::move(*planes);
  }
  if (is_full_range(*frame)) {
    return frame;
  }
  Frame full = stretched(*frame);
  if (!full) {
    return out_of_memory();
  }
  return full;
}

YuvView view_of(const AVFrame& frame) {
  const auto* const kind = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const int chroma_width = AV_CEIL_RSHIFT(frame.width, kind->log2_chroma_w);
  const int chroma_height = AV_CEIL_RSHIFT(frame.height, kind->log2_chroma_h);
  return {{frame.data[0], frame.width, frame.height, frame.linesize[0]},
          {frame.data[1], chroma_width, chroma_height, frame.linesize[1]},
          {frame.data[2], chroma_width, chroma_height, frame.linesize[2]}};
}

}  // namespace wccl::device
