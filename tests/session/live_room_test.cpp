#include "session/live_room.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "device/picture.h"

namespace wccl::session {
namespace {

using namespace std::chrono_literals;

constexpr int kPanelWidth = 160;
constexpr int kPanelHeight = 100;

/// A window of one colour, grabbed a hundred times a second.
class Window final : public device::Camera {
 public:
  void show(std::uint8_t luma, int width_px = kPanelWidth, int height_px = kPanelHeight) {
    auto image = std::make_shared<YuvImage>(width_px, height_px);
    image->y.assign(image->y.size(), luma);
    image->cb.assign(image->cb.size(), 128);
    image->cr.assign(image->cr.size(), 128);
    const std::lock_guard lock(mutex_);
    picture_ = std::move(image);
  }
  void vanish() {
    const std::lock_guard lock(mutex_);
    picture_ = nullptr;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }

  Result<std::optional<Capture>> next(Duration /*patience*/) override {
    std::this_thread::sleep_for(10ms);
    const std::lock_guard lock(mutex_);
    if (ended_) {
      return fail(ErrorCode::kNotFound, "the film has ended");
    }
    if (!picture_) {
      return std::nullopt;
    }
    return make_capture(picture_, Instant{});
  }
  [[nodiscard]] std::string name() const override { return "window"; }
  [[nodiscard]] device::CameraFormat format() const override { return {}; }
  [[nodiscard]] std::vector<std::string> warnings() const override { return {}; }
  [[nodiscard]] device::CameraCounts counts() const override { return {}; }

 private:
  std::mutex mutex_;
  std::shared_ptr<const YuvImage> picture_;
  bool ended_ = false;
};

room::Scene small_scene(std::initializer_list<const char*> more = {}) {
  auto scene = room::make_scene("ideal", "", 2).value();
  for (const char* setting :
       {"panel.width_px=160", "panel.height_px=100", "camera.width_px=160", "camera.height_px=90",
        "camera.fps=20", "camera.exposure_ms=8", "camera.gain=1", "camera.latency_ms=1"}) {
    EXPECT_TRUE(room::override_parameter(scene, setting)) << setting;
  }
  for (const char* setting : more) {
    EXPECT_TRUE(room::override_parameter(scene, setting)) << setting;
  }
  return scene;
}

/// Two laptops; laptop 1's camera looks at laptop 0's window.
struct Desk {
  explicit Desk(const room::Scene& scene = small_scene())
      : room(scene, 1, {&windows[0], &windows[1]}, time) {}

  /// Of the middle of camera 1's picture, where screen 0 is.
  [[nodiscard]] int brightness() {
    const auto picture = room.camera(1).feed().next(seen, 10s);
    if (!picture) {
      ADD_FAILURE() << "no picture within 10 s";
      return -1;
    }
    seen = picture->number;
    const auto image = device::decode_jpeg(*picture->jpeg).value();
    return image.view().y.row(image.height / 2)[image.width / 2];
  }
  /// Deadlines are long: what is tested is what happens, not when.
  [[nodiscard]] bool becomes(const std::function<bool(int)>& ready) {
    const Instant deadline = time.now() + 30s;
    while (time.now() < deadline) {
      if (ready(brightness())) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool becomes_bright() {
    return becomes([](int luma) { return luma > 150; });
  }
  [[nodiscard]] bool becomes_dark() {
    return becomes([](int luma) { return luma < 60; });
  }

  device::SteadyTime time;
  Window windows[2];
  LiveRoom room;
  std::uint64_t seen = 0;
};

TEST(LiveRoom, CameraSeesWhatTheOtherWindowShows) {
  Desk desk;
  desk.windows[0].show(255);
  EXPECT_TRUE(desk.becomes_bright());
  desk.windows[0].show(0);
  EXPECT_TRUE(desk.becomes_dark());
}

TEST(LiveRoom, CameraDoesNotSeeItsOwnWindow) {
  Desk desk;
  desk.windows[1].show(255);
  while (desk.room.panel(1).counts().changes == 0) {
    static_cast<void>(desk.brightness());
  }
  static_cast<void>(desk.brightness());  // may have been under way
  EXPECT_LT(desk.brightness(), 60);
}

TEST(LiveRoom, CoveredScreenIsDarkUntilTheHandIsTakenAway) {
  Desk desk;
  desk.windows[0].show(255);
  ASSERT_TRUE(desk.becomes_bright());
  desk.room.panel(0).cover(true);
  EXPECT_TRUE(desk.room.panel(0).covered());
  EXPECT_TRUE(desk.becomes_dark());
  desk.room.panel(0).cover(false);
  EXPECT_TRUE(desk.becomes_bright());
}

TEST(LiveRoom, WindowThatChangedUnderTheHandShowsItsNewPicture) {
  Desk desk;
  desk.room.panel(0).cover(true);
  desk.windows[0].show(255);
  while (desk.room.panel(0).counts().changes == 0) {
    EXPECT_LT(desk.brightness(), 60);
  }
  desk.room.panel(0).cover(false);
  EXPECT_TRUE(desk.becomes_bright());
}

TEST(LiveRoom, EqualPicturesAreNoChange) {
  Desk desk;
  desk.windows[0].show(255);
  while (desk.room.panel(0).counts().grabs < 3) {
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(desk.room.panel(0).counts().changes, 1U);
}

TEST(LiveRoom, PictureOfAnotherSizeIsNotShown) {
  Desk desk;
  desk.windows[0].show(255, kPanelWidth + 2, kPanelHeight);
  while (desk.room.panel(0).counts().grabs == 0) {
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(desk.room.panel(0).counts().changes, 0U);
}

TEST(LiveRoom, WindowThatIsGoneLeavesADarkScreen) {
  Desk desk;
  desk.windows[0].show(255);
  ASSERT_TRUE(desk.becomes_bright());
  desk.windows[0].vanish();
  EXPECT_TRUE(desk.becomes_dark());
}

TEST(LiveRoom, EndOfASourceIsKnownAndDark) {
  Desk desk;
  desk.windows[0].show(255);
  ASSERT_TRUE(desk.becomes_bright());
  desk.windows[0].end();
  EXPECT_TRUE(desk.becomes_dark());
  ASSERT_TRUE(desk.room.panel(0).ended());
  EXPECT_EQ(desk.room.panel(0).ended()->message, "the film has ended");
}

TEST(LiveRoom, CameraThatCannotKeepItsRateDropsCaptures) {
  // More pixels a second than any machine renders.
  Desk desk(small_scene({"camera.width_px=1920", "camera.height_px=1080", "camera.fps=240"}));
  while (desk.room.camera(1).counts().captures < 3) {
    std::this_thread::sleep_for(10ms);
  }
  const LiveCameraCounts counts = desk.room.camera(1).counts();
  EXPECT_GT(counts.missed, counts.captures);
  // None of them is late by more than making one took.
  EXPECT_GT(to_seconds(counts.busy), static_cast<double>(counts.captures) / 240);
}

}  // namespace
}  // namespace wccl::session
