#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "device/camera.h"
#include "device/screen.h"

namespace wccl::session {

/// A screen without a panel: keeps what it shows, where a fake camera can see it.
class FakeScreen final : public device::Screen {
 public:
  FakeScreen(int width_px, int height_px, const device::SteadyTime& time)
      : width_px_(width_px), height_px_(height_px), time_(time) {}

  [[nodiscard]] device::ScreenFormat format() const override { return {width_px_, height_px_, 60}; }
  [[nodiscard]] std::string name() const override { return "a fake screen"; }
  [[nodiscard]] Result<Instant> present(const RgbImage* frame) override;

  [[nodiscard]] std::shared_ptr<const RgbImage> shown() const;
  /// The user presses Esc.
  void leave() { left_ = true; }

 private:
  int width_px_;
  int height_px_;
  const device::SteadyTime& time_;
  mutable std::mutex mutex_;
  std::shared_ptr<const RgbImage> shown_;
  std::atomic<bool> left_{false};
};

/// A camera that sees one fake screen, straight on, in front of a grey wall.
class FakeCamera final : public device::Camera {
 public:
  FakeCamera(const FakeScreen& screen, Duration period, const device::SteadyTime& time)
      : screen_(screen), period_(period), time_(time) {}

  [[nodiscard]] Result<std::optional<Capture>> next(Duration patience) override;
  [[nodiscard]] std::string name() const override { return "a fake camera"; }
  [[nodiscard]] device::CameraFormat format() const override { return {}; }
  [[nodiscard]] std::vector<std::string> warnings() const override { return {}; }
  [[nodiscard]] device::CameraCounts counts() const override { return {captures_, 0, 0, 0}; }

  void cover(bool covered) { covered_ = covered; }
  void break_for_good() { broken_ = true; }

 private:
  const FakeScreen& screen_;
  Duration period_;
  const device::SteadyTime& time_;
  Instant due_{};
  std::atomic<bool> covered_{false};
  std::atomic<bool> broken_{false};
  std::atomic<std::uint64_t> captures_{0};
};

}  // namespace wccl::session
