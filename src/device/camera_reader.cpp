#include "device/camera_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace wccl::device {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{250};
constexpr milliseconds kLongestPause{4000};
constexpr AVRational kMicroseconds{1, 1'000'000};

std::shared_ptr<const AVCodecParameters> copy(const AVCodecParameters& parameters) {
  FfmpegOwner<AVCodecParameters> copy(avcodec_parameters_alloc());
  avcodec_parameters_copy(copy.get(), &parameters);
  return std::shared_ptr<AVCodecParameters>(std::move(copy));
}

std::string coding_name(const AVCodecParameters& coding) {
  if (coding.codec_id == AV_CODEC_ID_RAWVIDEO) {
    const char* const name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(coding.format));
    return name != nullptr ? name : "raw";
  }
  return avcodec_get_name(coding.codec_id);
}

}  // namespace

CameraReader::CameraReader(MakeRecipe make_recipe, std::size_t depth, const SteadyTime& time)
    : make_recipe_(std::move(make_recipe)), depth_(depth), time_(time) {}

Result<std::unique_ptr<CameraReader>> CameraReader::open(MakeRecipe make_recipe,
                                                         std::size_t depth,
                                                         const SteadyTime& time) {
  std::unique_ptr<CameraReader> reader(new CameraReader(std::move(make_recipe), depth, time));
  if (auto opened = reader->open_input(); !opened) {
    return tl::make_unexpected(opened.error());
  }
  reader->thread_ = std::thread([&camera = *reader] { camera.run(); });
  return reader;
}

CameraReader::~CameraReader() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

Status CameraReader::open_input() {
  const auto recipe = make_recipe_();
  if (!recipe) {
    return tl::make_unexpected(recipe.error());
  }
  auto input = Input::open(*recipe, stop_);
  if (!input) {
    return tl::make_unexpected(input.error());
  }
  input_ = std::move(*input);
  is_device_ = recipe->is_device;
  coding_ = copy(*input_->stream().codecpar);
  decoder_.reset();
  arrivals_ = {};
  const bool is_whole = is_intra_only(coding_->codec_id);
  if (!is_whole) {
    decoder_ = PacketDecoder::open(*coding_);
  }
  if ((!is_whole && !decoder_) || avcodec_find_decoder(coding_->codec_id) == nullptr) {
    return fail(ErrorCode::kUnsupported, fmt::format("{} gives {}, which this FFmpeg cannot read",
                                                     recipe->name, coding_name(*coding_)));
  }
  const std::lock_guard lock(mutex_);
  recipe_ = *recipe;
  const AVRational fps = input_->stream().avg_frame_rate;
  format_ = {coding_->width, coding_->height, fps.den > 0 ? av_q2d(fps) : 0.0,
             coding_name(*coding_)};
  return {};
}

InputRecipe CameraReader::recipe() const {
  const std::lock_guard lock(mutex_);
  return recipe_;
}

CameraFormat CameraReader::format() const {
  const std::lock_guard lock(mutex_);
  return format_;
}

CameraCounts CameraReader::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

bool CameraReader::has_vanished() const {
  const std::lock_guard lock(mutex_);
  return has_vanished_;
}

Result<std::optional<RawCapture>> CameraReader::next(Duration patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [this] { return !queue_.empty() || ended_; });
  if (!queue_.empty()) {
    RawCapture capture = std::move(queue_.front());
    queue_.pop_front();
    return capture;
  }
  if (ended_) {
    return tl::make_unexpected(*ended_);
  }
  return std::nullopt;
}

// --- the reading thread ------------------------------------------------------------------------

void CameraReader::run() {
  while (!stop_) {
    const int end = read_all();
    if (input_->is_file()) {
      const std::lock_guard lock(mutex_);
      ended_ = end == AVERROR_EOF
                   ? Error{ErrorCode::kNotFound, fmt::format("{} has ended", recipe_.name)}
                   : Error{ErrorCode::kIo,
                           fmt::format("cannot go on in {}: {}", recipe_.name, ffmpeg_error(end))};
      changed_.notify_all();
      return;
    }
    if (!stop_) {
      open_again();
    }
  }
}

int CameraReader::read_all() {
  while (!stop_) {
    FfmpegOwner<AVPacket> packet(av_packet_alloc());
    if (const int read = input_->read(*packet); read < 0) {
      decode(nullptr);
      return read;
    }
    take(std::move(packet));
  }
  return AVERROR_EXIT;
}

void CameraReader::take(FfmpegOwner<AVPacket> packet) {
  if (decoder_) {
    decode(packet.get());
    return;
  }
  if (is_device_) {
    // The memory may be the device's own, which it needs back and which goes when it closes.
    FfmpegOwner<AVPacket> own(av_packet_alloc());
    if (av_new_packet(own.get(), packet->size) < 0) {
      return;
    }
    std::copy_n(packet->data, packet->size, own->data);
    own->pts = packet->pts;
    packet = std::move(own);
  }
  const std::int64_t stamp = packet->pts;
  put({std::move(packet), coding_, nullptr, {}}, stamp);
}

/// @param packet  Null at the end.
void CameraReader::decode(const AVPacket* packet) {
  if (!decoder_) {
    return;
  }
  decoder_->send(packet);
  while (auto frame = decoder_->receive()) {
    const std::int64_t stamp = frame->best_effort_timestamp;
    put({nullptr, nullptr, std::move(frame), {}}, stamp);
  }
}

void CameraReader::put(RawCapture capture, std::int64_t stamp) {
  capture.captured_at = date(stamp);
  const std::lock_guard lock(mutex_);
  ++counts_.captures;
  queue_.push_back(std::move(capture));
  if (queue_.size() > depth_) {
    queue_.pop_front();
    ++counts_.dropped;
  }
  changed_.notify_all();
}

/// When the picture was taken; a file's pictures wait for their turn.
Instant CameraReader::date(std::int64_t stamp) {
  const AVStream& stream = input_->stream();
  const std::int64_t number = n_read_++;
  if (input_->is_file()) {
    const AVRational fps =
        stream.avg_frame_rate.num > 0 ? stream.avg_frame_rate : AVRational{30, 1};
    const std::int64_t at = stamp != AV_NOPTS_VALUE
                                ? av_rescale_q(stamp, stream.time_base, kMicroseconds)
                                : av_rescale_q(number, av_inv_q(fps), kMicroseconds);
    if (!file_start_) {
      file_start_ = time_.now() - Duration(at);
    }
    wait(*file_start_ + Duration(at));
    return *file_start_ + Duration(at);
  }
  const Instant arrival = time_.now();
  if (stamp == AV_NOPTS_VALUE || !input_->has_stamps()) {
    return arrival;
  }
  const Duration since_zero(av_rescale_q(stamp, stream.time_base, kMicroseconds));
  // Cameras' drivers mostly take the clock that we take, and then there is nothing to guess.
  const Instant same_clock = time_.at(SteadyTime::Clock::time_point(since_zero));
  if (is_device_ && same_clock <= arrival && arrival - same_clock < std::chrono::seconds(1)) {
    return same_clock;
  }
  return arrivals_.date(since_zero, arrival);
}

void CameraReader::wait(Instant until) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, time_.steady(until), [this] { return stop_.load(); });
}

void CameraReader::open_again() {
  input_.reset();  // before another of the same device
  {
    const std::lock_guard lock(mutex_);
    has_vanished_ = true;
  }
  milliseconds pause = kFirstPause;
  while (!stop_) {
    wait(time_.now() + pause);
    pause = std::min(2 * pause, kLongestPause);
    if (!stop_ && open_input()) {
      const std::lock_guard lock(mutex_);
      has_vanished_ = false;
      ++counts_.reopened;
      return;
    }
  }
}

}  // namespace wccl::device
