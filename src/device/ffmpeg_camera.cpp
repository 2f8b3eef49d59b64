#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "device/automatics_lock.h"
#include "device/camera.h"
#include "device/camera_choice.h"
#include "device/camera_reader.h"
#include "device/camera_recipe.h"
#include "device/capture_decoder.h"
#include "device/format_choice.h"

namespace wccl::device {
namespace {

class FfmpegCamera final : public Camera {
 public:
  FfmpegCamera(std::unique_ptr<CameraReader> reader, CameraFormat wanted, const SteadyTime& time)
      : reader_(std::move(reader)), wanted_(std::move(wanted)), time_(time) {}

  [[nodiscard]] Result<std::optional<Capture>> next(Duration patience) override;
  [[nodiscard]] std::vector<std::string> lock_automatics() override;
  [[nodiscard]] std::string name() const override { return reader_->recipe().name; }
  [[nodiscard]] CameraFormat format() const override;
  [[nodiscard]] std::vector<std::string> warnings() const override;
  [[nodiscard]] CameraCounts counts() const override;

 private:
  std::unique_ptr<CameraReader> reader_;
  CameraFormat wanted_;
  const SteadyTime& time_;

  // Of the thread that calls next().
  CaptureDecoder decoder_;
  std::unique_ptr<AutomaticsLock> automatics_;
  std::uint64_t locked_at_ = 0;  ///< How often the camera had been opened again by then.

  mutable std::mutex mutex_;
  std::uint64_t torn_ = 0;
  PixelSize size_;  ///< Of the last capture.
};

std::vector<std::string> FfmpegCamera::lock_automatics() {
  locked_at_ = reader_->counts().reopened;
  automatics_.reset();  // those of the camera before it vanished
  automatics_ = std::make_unique<AutomaticsLock>(reader_->recipe(), format().fps);
  return automatics_->warnings();
}

Result<std::optional<Capture>> FfmpegCamera::next(Duration patience) {
  if (automatics_ && locked_at_ != reader_->counts().reopened) {
    static_cast<void>(lock_automatics());  // what it cannot do was said the first time
  }
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
    auto frame = decoder_.decode(std::move(**raw));
    if (!frame) {
      return tl::make_unexpected(frame.error());
    }
    const std::shared_ptr<const AVFrame> owner(std::move(*frame));
    const std::lock_guard lock(mutex_);
    if (!owner) {
      ++torn_;
      continue;
    }
    size_ = {owner->width, owner->height};
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
