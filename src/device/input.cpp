#include "device/input.h"

#include <cstring>
#include <string_view>
#include <thread>

#include <fmt/format.h>

extern "C" {
#include <libavutil/opt.h>
}

#include "device/input_error.h"

namespace wccl::device {
namespace {

constexpr std::chrono::seconds kOpening{10};
/// Between two looks whether a device has a picture; its own clock dates it, so this is no loss.
constexpr std::chrono::milliseconds kNap{2};

constexpr const char* kWebCamera = "mpjpeg";

bool is_on_the_web(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

}  // namespace

Input::Input(const InputRecipe& recipe, const std::atomic<bool>& stop)
    : stop_(stop),
      deadline_(Clock::now() + kOpening),
      is_device_(recipe.is_device),
      is_file_(recipe.is_file) {
  if (recipe.format == "x11grab") {
    display_.emplace(recipe.url);
  }
}

int Input::asks_to_end(void* input) {
  return static_cast<const Input*>(input)->must_end() ? 1 : 0;
}

int Input::connect(const InputRecipe& recipe, AVDictionary** options) {
  AVIOContext* connection = nullptr;
  const AVIOInterruptCB callback = interrupt();
  const int connected =
      avio_open2(&connection, recipe.url.c_str(), AVIO_FLAG_READ, &callback, options);
  connection_.reset(connection);
  return connected;
}

/// What a web server says of what it sends.
bool Input::gives_single_pictures() const {
  std::uint8_t* type = nullptr;
  if (!connection_ ||
      av_opt_get(connection_.get(), "mime_type", AV_OPT_SEARCH_CHILDREN, &type) < 0) {
    return false;
  }
  const bool is_multipart =
      std::string_view(reinterpret_cast<const char*>(type)).starts_with("multipart/");
  av_free(type);
  return is_multipart;
}

int Input::open_format(const InputRecipe& recipe) {
  AVDictionary* options = nullptr;
  for (const auto& [key, value] : recipe.options) {
    av_dict_set(&options, key.c_str(), value.c_str(), 0);
  }
  if (is_on_the_web(recipe.url)) {
    if (const int connected = connect(recipe, &options); connected < 0) {
      av_dict_free(&options);
      return connected;
    }
  }
  // Found out by FFmpeg from the first bytes, it would cost the first picture, and wait for more
  // where that is small.
  const std::string name = gives_single_pictures() ? kWebCamera : recipe.format;
  const AVInputFormat* format = nullptr;
  if (!name.empty()) {
    format = av_find_input_format(name.c_str());
    if (format == nullptr) {
      av_dict_free(&options);
      return AVERROR_DEMUXER_NOT_FOUND;
    }
  }
  AVFormatContext* context = avformat_alloc_context();
  context->interrupt_callback = interrupt();
  context->pb = connection_.get();
  if (recipe.is_device) {
    context->flags |= AVFMT_FLAG_NONBLOCK;
  }
  // On failure FFmpeg frees the context.
  const int opened = avformat_open_input(&context, recipe.url.c_str(), format, &options);
  av_dict_free(&options);
  format_.reset(context);
  return opened;
}

int Input::find_pictures() {
  // Devices, and cameras on the web, say what they give before the first picture comes; looking for
  // more would cost the first ones.
  const bool says_all = is_device_ || std::strcmp(format_->iformat->name, kWebCamera) == 0;
  if (!says_all) {
    if (const int found = avformat_find_stream_info(format_.get(), nullptr); found < 0) {
      return found;
    }
  }
  const int stream = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (stream < 0) {
    return stream;
  }
  stream_ = static_cast<unsigned>(stream);
  return 0;
}

Result<std::unique_ptr<Input>> Input::open(const InputRecipe& recipe,
                                           const std::atomic<bool>& stop) {
  prepare_ffmpeg();
  std::unique_ptr<Input> input(new Input(recipe, stop));
  int opened = input->open_format(recipe);
  if (opened >= 0) {
    opened = input->find_pictures();
  }
  if (opened < 0) {
    return tl::make_unexpected(input_error(recipe, opened));
  }
  return input;
}

bool Input::has_stamps() const {
  return (format_->iformat->flags & AVFMT_NOTIMESTAMPS) == 0;
}

int Input::read(AVPacket& packet) {
  deadline_ = Clock::now() + kSilence;
  while (true) {
    if (display_ && !display_->is_there()) {
      return AVERROR(ENODEV);
    }
    const int read = av_read_frame(format_.get(), &packet);
    if (read == AVERROR(EAGAIN)) {
      if (must_end()) {
        return stop_ ? AVERROR_EXIT : AVERROR(ETIMEDOUT);
      }
      std::this_thread::sleep_for(kNap);
      continue;
    }
    if (read < 0 || packet.stream_index == static_cast<int>(stream_)) {
      return read;
    }
    av_packet_unref(&packet);
  }
}

}  // namespace wccl::device
