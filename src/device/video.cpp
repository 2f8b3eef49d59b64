#include "device/video.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include <fmt/format.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

namespace wccl::device {
namespace {

struct Closer {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
  void operator()(AVIOContext* context) const {
    av_freep(static_cast<void*>(&context->buffer));
    avio_context_free(&context);
  }
};
template <class T>
using Owner = std::unique_ptr<T, Closer>;

std::string error_text(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

/// A pipe of which the start has been read.
struct Pipe {
  std::FILE* file = nullptr;
  std::vector<std::byte> start;
  std::size_t start_read = 0;

  int read(std::uint8_t* target, int size) {
    const auto n = static_cast<std::size_t>(size);
    if (start_read < start.size()) {
      const std::size_t part = std::min(n, start.size() - start_read);
      std::memcpy(target, start.data() + start_read, part);
      start_read += part;
      return static_cast<int>(part);
    }
    const std::size_t got = std::fread(target, 1, n, file);
    return got == 0 ? AVERROR_EOF : static_cast<int>(got);
  }
};

/// Full range, as JFIF and phy have it, from the range of television.
std::array<std::uint8_t, 256> stretch(int zero, int from, int to) {
  std::array<std::uint8_t, 256> table{};
  for (int i = 0; i < 256; ++i) {
    const int value = zero == 128 ? 128 + ((i - 128) * to + (i < 128 ? -from / 2 : from / 2)) / from
                                  : ((i - zero) * to + from / 2) / from;
    table[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
  }
  return table;
}

void copy_plane(
    const AVFrame& frame, int plane, int width, int height, std::vector<std::uint8_t>& to) {
  to.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    std::memcpy(to.data() + static_cast<std::ptrdiff_t>(y) * width,
                frame.data[plane] + static_cast<std::ptrdiff_t>(y) * frame.linesize[plane],
                static_cast<std::size_t>(width));
  }
}

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

class Video final : public CaptureSource {
 public:
  ~Video() override = default;

  /// @param name  What messages call it.
  static Result<std::unique_ptr<CaptureSource>> open(const std::string& name,
                                                     std::unique_ptr<Pipe> pipe);

  std::optional<Result<YuvImage>> next() override;
  [[nodiscard]] std::optional<std::size_t> count() const override {
    const auto n = format_->streams[stream_]->nb_frames;
    return n > 0 ? std::optional(static_cast<std::size_t>(n)) : std::nullopt;
  }

 private:
  [[nodiscard]] Status open_format(const std::string& name);
  [[nodiscard]] Status open_codec();
  /// @return 0, or AVERROR_EOF, or what failed.
  [[nodiscard]] int next_frame();
  [[nodiscard]] Result<YuvImage> to_image();
  [[nodiscard]] Result<YuvImage> convert();

  std::string name_;
  std::unique_ptr<Pipe> pipe_;
  Owner<AVIOContext> io_;  // outlives format_
  Owner<AVFormatContext> format_;
  Owner<AVCodecContext> codec_;
  Owner<AVPacket> packet_{av_packet_alloc()};
  Owner<AVFrame> frame_{av_frame_alloc()};
  Owner<AVFrame> converted_;
  Owner<SwsContext> scaler_;
  unsigned stream_ = 0;
  bool ended_ = false;
};

int read_pipe(void* pipe, std::uint8_t* target, int size) {
  return static_cast<Pipe*>(pipe)->read(target, size);
}

Status Video::open_format(const std::string& name) {
  AVFormatContext* context = avformat_alloc_context();
  if (pipe_) {
    constexpr int kBuffer = 1 << 16;
    io_.reset(avio_alloc_context(static_cast<std::uint8_t*>(av_malloc(kBuffer)), kBuffer, 0,
                                 pipe_.get(), read_pipe, nullptr, nullptr));
    context->pb = io_.get();
  }
  // On failure FFmpeg frees the context.
  const int opened =
      avformat_open_input(&context, pipe_ ? nullptr : name.c_str(), nullptr, nullptr);
  if (opened < 0) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{} is neither a picture nor a video: {}", name_, error_text(opened)));
  }
  format_.reset(context);
  if (const int found = avformat_find_stream_info(context, nullptr); found < 0) {
    return fail(ErrorCode::kCorrupt, fmt::format("cannot read {}: {}", name_, error_text(found)));
  }
  return {};
}

Status Video::open_codec() {
  const AVCodec* codec = nullptr;
  const int stream = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
  if (stream < 0 || codec == nullptr) {
    return fail(ErrorCode::kCorrupt, fmt::format("{} holds no video that FFmpeg can read", name_));
  }
  stream_ = static_cast<unsigned>(stream);
  codec_.reset(avcodec_alloc_context3(codec));
  avcodec_parameters_to_context(codec_.get(), format_->streams[stream_]->codecpar);
  if (const int opened = avcodec_open2(codec_.get(), codec, nullptr); opened < 0) {
    return fail(ErrorCode::kCorrupt, fmt::format("cannot read {}: {}", name_, error_text(opened)));
  }
  return {};
}

Result<std::unique_ptr<CaptureSource>> Video::open(const std::string& name,
                                                   std::unique_ptr<Pipe> pipe) {
  av_log_set_level(AV_LOG_QUIET);  // we say what is wrong, in one line
  auto video = std::make_unique<Video>();
  video->name_ = pipe ? "stdin" : name;
  video->pipe_ = std::move(pipe);
  // "file:" keeps a name with a colon from being taken for a protocol.
  auto status = video->open_format("file:" + name);
  if (status) {
    status = video->open_codec();
  }
  if (!status) {
    return tl::make_unexpected(status.error());
  }
  return video;
}

int Video::next_frame() {
  while (true) {
    const int received = avcodec_receive_frame(codec_.get(), frame_.get());
    if (received != AVERROR(EAGAIN)) {
      return received;
    }
    const int read = av_read_frame(format_.get(), packet_.get());
    if (read < 0) {
      if (const int flushed = avcodec_send_packet(codec_.get(), nullptr); flushed < 0) {
        return read;
      }
      continue;
    }
    int sent = 0;
    if (packet_->stream_index == static_cast<int>(stream_)) {
      sent = avcodec_send_packet(codec_.get(), packet_.get());
    }
    av_packet_unref(packet_.get());
    if (sent < 0 && sent != AVERROR(EAGAIN)) {
      return sent;
    }
  }
}

std::optional<Result<YuvImage>> Video::next() {
  if (ended_) {
    return std::nullopt;
  }
  const int got = next_frame();
  if (got == AVERROR_EOF) {
    ended_ = true;
    return std::nullopt;
  }
  if (got == AVERROR_INVALIDDATA) {
    return fail(ErrorCode::kCorrupt, fmt::format("a torn picture in {}", name_));
  }
  if (got < 0) {
    ended_ = true;
    return fail(ErrorCode::kIo, fmt::format("cannot go on in {}: {}", name_, error_text(got)));
  }
  auto image = is_planar_yuv(frame_->format) ? to_image() : convert();
  av_frame_unref(frame_.get());
  return image;
}

Result<YuvImage> Video::to_image() {
  const auto* const kind = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame_->format));
  YuvImage image;
  image.width = frame_->width;
  image.height = frame_->height;
  image.chroma_width = AV_CEIL_RSHIFT(image.width, kind->log2_chroma_w);
  image.chroma_height = AV_CEIL_RSHIFT(image.height, kind->log2_chroma_h);
  copy_plane(*frame_, 0, image.width, image.height, image.y);
  copy_plane(*frame_, 1, image.chroma_width, image.chroma_height, image.cb);
  copy_plane(*frame_, 2, image.chroma_width, image.chroma_height, image.cr);
  if (!is_full_range(*frame_)) {
    static const auto kLuma = stretch(16, 219, 255);
    static const auto kChroma = stretch(128, 224, 255);
    for (auto& value : image.y) {
      value = kLuma[value];
    }
    for (auto& value : image.cb) {
      value = kChroma[value];
    }
    for (auto& value : image.cr) {
      value = kChroma[value];
    }
  }
  return image;
}

/// Everything that is not 8-bit planes goes through swscale.
Result<YuvImage> Video::convert() {
  scaler_.reset(sws_getCachedContext(scaler_.release(), frame_->width, frame_->height,
                                     static_cast<AVPixelFormat>(frame_->format), frame_->width,
                                     frame_->height, AV_PIX_FMT_YUVJ444P,
                                     SWS_POINT | SWS_ACCURATE_RND, nullptr, nullptr, nullptr));
  if (!scaler_) {
    return fail(ErrorCode::kUnsupported, fmt::format("{} has pictures of an odd kind", name_));
  }
  converted_.reset(av_frame_alloc());
  converted_->format = AV_PIX_FMT_YUVJ444P;
  converted_->width = frame_->width;
  converted_->height = frame_->height;
  if (av_frame_get_buffer(converted_.get(), 0) < 0) {
    return fail(ErrorCode::kIo, "out of memory for a picture");
  }
  sws_scale(scaler_.get(), frame_->data, frame_->linesize, 0, frame_->height, converted_->data,
            converted_->linesize);
  std::swap(frame_, converted_);
  return to_image();
}

}  // namespace

Result<std::unique_ptr<CaptureSource>> open_video(const std::string& name) {
  return Video::open(name, nullptr);
}

Result<std::unique_ptr<CaptureSource>> open_video(std::FILE* file, std::vector<std::byte> start) {
  return Video::open("", std::make_unique<Pipe>(Pipe{file, std::move(start), 0}));
}

}  // namespace wccl::device
