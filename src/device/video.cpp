#include "device/video.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "device/ffmpeg.h"
#include "device/frame_planes.h"

namespace wccl::device {
namespace {

template <class T>
using Owner = FfmpegOwner<T>;

/// A pipe of which the start has been read.
struct Pipe {
  ReadBytes read_bytes;
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
    const std::size_t got = read_bytes({reinterpret_cast<std::byte*>(target), n});
    return got == 0 ? AVERROR_EOF : static_cast<int>(got);
  }
};

std::vector<std::uint8_t> copy(const PlaneView& plane) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(plane.height));
  for (int y = 0; y < plane.height; ++y) {
    bytes.insert(bytes.end(), plane.row(y), plane.row(y) + plane.width);
  }
  return bytes;
}

YuvImage copy(const YuvView& view) {
  YuvImage image;
  image.width = view.y.width;
  image.height = view.y.height;
  image.chroma_width = view.cb.width;
  image.chroma_height = view.cb.height;
  image.y = copy(view.y);
  image.cb = copy(view.cb);
  image.cr = copy(view.cr);
  return image;
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
  [[nodiscard]] Result<YuvImage> take_image();

  std::string name_;
  std::unique_ptr<Pipe> pipe_;
  Owner<AVIOContext> io_;  // outlives format_
  Owner<AVFormatContext> format_;
  Owner<AVCodecContext> codec_;
  Owner<AVPacket> packet_{av_packet_alloc()};
  Owner<AVFrame> frame_{av_frame_alloc()};
  FramePlanes planes_;
  unsigned stream_ = 0;
  bool ended_ = false;
};

int read_from(void* pipe, std::uint8_t* target, int size) {
  return static_cast<Pipe*>(pipe)->read(target, size);
}

Status Video::open_format(const std::string& name) {
  AVFormatContext* context = avformat_alloc_context();
  if (pipe_) {
    constexpr int kBuffer = 1 << 16;
    io_.reset(avio_alloc_context(static_cast<std::uint8_t*>(av_malloc(kBuffer)), kBuffer, 0,
                                 pipe_.get(), read_from, nullptr, nullptr));
    context->pb = io_.get();
  }
  // On failure FFmpeg frees the context.
  const int opened =
      avformat_open_input(&context, pipe_ ? nullptr : name.c_str(), nullptr, nullptr);
  if (opened < 0) {
    return fail(ErrorCode::kCorrupt, fmt::format("{} is neither a picture nor a video: {}", name_,
                                                 ffmpeg_error(opened)));
  }
  format_.reset(context);
  if (const int found = avformat_find_stream_info(context, nullptr); found < 0) {
    return fail(ErrorCode::kCorrupt, fmt::format("cannot read {}: {}", name_, ffmpeg_error(found)));
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
    return fail(ErrorCode::kCorrupt,
                fmt::format("cannot read {}: {}", name_, ffmpeg_error(opened)));
  }
  return {};
}

Result<std::unique_ptr<CaptureSource>> Video::open(const std::string& name,
                                                   std::unique_ptr<Pipe> pipe) {
  prepare_ffmpeg();
  auto video = std::make_unique<Video>();
  video->name_ = name;
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
    return fail(ErrorCode::kIo, fmt::format("cannot go on in {}: {}", name_, ffmpeg_error(got)));
  }
  return take_image();
}

Result<YuvImage> Video::take_image() {
  auto planes = planes_.convert(std::exchange(frame_, Owner<AVFrame>(av_frame_alloc())));
  if (!planes) {
    return fail(planes.error().code, fmt::format("{}: {}", name_, planes.error().message));
  }
  return copy(view_of(**planes));
}

}  // namespace

Result<std::unique_ptr<CaptureSource>> open_video(const std::string& name) {
  return Video::open(name, nullptr);
}

Result<std::unique_ptr<CaptureSource>> open_video(const std::string& name,
                                                  ReadBytes read,
                                                  std::vector<std::byte> start) {
  return Video::open(name, std::make_unique<Pipe>(Pipe{std::move(read), std::move(start), 0}));
}

}  // namespace wccl::device
