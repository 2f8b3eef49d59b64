#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "device/camera.h"
#include "device/camera_choice.h"
#include "device/camera_reader.h"
#include "device/camera_recipe.h"
#include "device/format_choice.h"
#include "device/frame_planes.h"

namespace wccl::device {
namespace {

class FfmpegCamera final : public Camera {
 public:
  FfmpegCamera(std::unique_ptr<CameraReader> reader, CameraFormat wanted, const SteadyTime& time)
      : reader_(std::move(reader)), wanted_(std::move(wanted)), time_(time) {}

  [[nodiscard]] Result<std::optional<Capture>> next(Duration patience) override;
  [[nodiscard]] std::string name() const override { return reader_->name(); }
  [[nodiscard]] CameraFormat format() const override;
  [[nodiscard]] std::vector<std::string> warnings() const override;
  [[nodiscard]] CameraCounts counts() const override;

 private:
  [[nodiscard]] FfmpegOwner<AVFrame> decode(RawCapture capture);

  std::unique_ptr<CameraReader> reader_;
  CameraFormat wanted_;
  const SteadyTime& time_;

  // Of the thread that calls next().
  std::shared_ptr<const AVCodecParameters> coding_;  ///< What the decoder was made for.
  std::unique_ptr<PacketDecoder> decoder_;
  FramePlanes planes_;

  mutable std::mutex mutex_;
  std::uint64_t torn_ = 0;
  PixelSize size_;  ///< Of the last capture.
};

FfmpegOwner<AVFrame> FfmpegCamera::decode(RawCapture capture) {
  if (capture.frame) {
    return std::move(capture.frame);
  }
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

Result<std::optional<Capture>> FfmpegCamera::next(Duration patience) {
  const Instant deadline = time_.now() + patience;
  while (true) {
    auto raw = reader_->next(std::max(Duration::zero(), deadline - time_.now()));
    if (!raw) {
      return tl::make_unexpected(raw.error());
    }
    if (!*raw) {
      return std::nullopt;
    }
    const Instant captured_at = (*raw)->captured_at;
    auto frame = decode(std::move(**raw));
    if (!frame) {
      const std::lock_guard lock(mutex_);
      ++torn_;
      continue;
    }
    auto planes = planes_.convert(std::move(frame));
    if (!planes) {
      return tl::make_unexpected(planes.error());
    }
    const std::shared_ptr<const AVFrame> owner(std::move(*planes));
    {
      const std::lock_guard lock(mutex_);
      size_ = {owner->width, owner->height};
    }
    return Capture{view_of(*owner), owner, captured_at};
  }
}

CameraFormat FfmpegCamera::format() const {
  CameraFormat format = reader_->format();
  const std::lock_guard lock(mutex_);
  if (size_.width > 0) {
    format.width_px = size_.width;
    format.height_px = size_.height;
  }
  return format;
}

CameraCounts FfmpegCamera::counts() const {
  CameraCounts counts = reader_->counts();
  const std::lock_guard lock(mutex_);
  counts.torn = torn_;
  return counts;
}

std::vector<std::string> FfmpegCamera::warnings() const {
  std::vector<std::string> lines;
  if (reader_->has_vanished()) {
    lines.push_back(fmt::format("{} has vanished; looking for it", name()));
  }
  if (const auto line = format_warning(format(), wanted_)) {
    lines.push_back(*line);
  }
  return lines;
}

}  // namespace

Result<std::unique_ptr<Camera>> open_camera(const std::string& choice,
                                            const CameraFormat& wanted,
                                            const SteadyTime& time) {
  auto parsed = parse_camera_choice(choice);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  auto reader = CameraReader::open(
      [parsed = std::move(*parsed), wanted] { return camera_recipe(parsed, wanted); }, 1, time);
  if (!reader) {
    return tl::make_unexpected(reader.error());
  }
  return std::make_unique<FfmpegCamera>(std::move(*reader), wanted, time);
}

}  // namespace wccl::device
