#include "fake_desk.h"

#include <algorithm>
#include <cstdint>
#include <thread>

namespace wccl::session {
namespace {

constexpr int kMargin = 60;
constexpr std::uint8_t kWall = 90;

/// JFIF's matrix, chroma of full size.
std::shared_ptr<const YuvImage> picture_of(const RgbImage* shown, int width, int height) {
  auto picture = std::make_shared<YuvImage>();
  picture->width = picture->chroma_width = width + 2 * kMargin;
  picture->height = picture->chroma_height = height + 2 * kMargin;
  const auto n =
      static_cast<std::size_t>(picture->width) * static_cast<std::size_t>(picture->height);
  picture->y.assign(n, kWall);
  picture->cb.assign(n, 128);
  picture->cr.assign(n, 128);
  for (int row = 0; shown != nullptr && row < height; ++row) {
    const std::uint8_t* rgb = shown->row(row);
    auto at = static_cast<std::size_t>(row + kMargin) * static_cast<std::size_t>(picture->width) +
              kMargin;
    for (int column = 0; column < width; ++column, ++at, rgb += 3) {
      const double luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
      picture->y[at] = static_cast<std::uint8_t>(luma);
      picture->cb[at] =
          static_cast<std::uint8_t>(std::clamp(128 + (rgb[2] - luma) / 1.772, 0.0, 255.0));
      picture->cr[at] =
          static_cast<std::uint8_t>(std::clamp(128 + (rgb[0] - luma) / 1.402, 0.0, 255.0));
    }
  }
  return picture;
}

}  // namespace

Result<Instant> FakeScreen::present(const RgbImage* frame) {
  if (left_.exchange(false)) {
    return fail(ErrorCode::kCancelled, "the window was closed");
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(16));
  if (frame != nullptr) {
    const std::lock_guard lock(mutex_);
    shown_ = std::make_shared<RgbImage>(*frame);
  }
  return time_.now();
}

std::shared_ptr<const RgbImage> FakeScreen::shown() const {
  const std::lock_guard lock(mutex_);
  return shown_;
}

Result<std::optional<Capture>> FakeCamera::next(Duration patience) {
  if (broken_) {
    return fail(ErrorCode::kIo, "a fake camera has gone");
  }
  const Instant now = time_.now();
  if (due_ > now + patience) {
    std::this_thread::sleep_for(patience);
    return std::nullopt;
  }
  std::this_thread::sleep_until(time_.steady(due_));
  due_ = std::max(due_ + period_, now);
  const auto shown = screen_.shown();
  const auto [width, height, refresh_hz] = screen_.format();
  ++captures_;
  return make_capture(picture_of(covered_ ? nullptr : shown.get(), width, height), time_.now());
}

}  // namespace wccl::session
