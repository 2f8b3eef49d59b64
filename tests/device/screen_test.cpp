#include "device/screen.h"

#include <cstdlib>
#include <random>

#include <SDL.h>
#include <gtest/gtest.h>

#include "device/camera.h"
#include "x_server.h"

namespace wccl::device {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// On an X server of 400 x 300; skips where there is none.
class ScreenTest : public testing::Test {
 protected:
  void SetUp() override {
    server_ = XServer::start(kWidth, kHeight);
    if (!server_) {
      GTEST_SKIP() << "needs Xvfb (package xvfb)";
    }
  }
  [[nodiscard]] std::unique_ptr<Screen> open(const std::string& choice) {
    auto screen = open_screen(choice, "test", time_);
    EXPECT_TRUE(screen) << screen.error().message;
    return screen ? std::move(*screen) : nullptr;
  }

  static constexpr int kWidth = 400;
  static constexpr int kHeight = 300;
  std::unique_ptr<XServer> server_;
  SteadyTime time_;
};

/// Pixels of all colours, no two rows or columns the same.
RgbImage noise(int width, int height) {
  RgbImage image(width, height);
  std::mt19937 random(7);
  for (auto& value : image.pixels) {
    value = static_cast<std::uint8_t>(random());
  }
  return image;
}

/// Pixels that differ by more than the rounding of Y'CbCr and back.
int n_different(const RgbImage& shown, const RgbImage& seen, int left, int top) {
  int n = 0;
  for (int y = 0; y < shown.height; ++y) {
    for (int i = 0; i < 3 * shown.width; ++i) {
      n += std::abs(shown.row(y)[i] - seen.row(y + top)[i + 3 * left]) > 3 ? 1 : 0;
    }
  }
  return n;
}

TEST_F(ScreenTest, WindowShowsFramesPixelForPixel) {
  const auto screen = open("window:330x210");
  ASSERT_NE(screen, nullptr);
  EXPECT_EQ(screen->format().width_px, 330);
  EXPECT_EQ(screen->format().height_px, 210);
  const RgbImage frame = noise(330, 210);
  ASSERT_TRUE(screen->present(&frame));
  const auto camera = open_camera("x11grab:" + server_->display(), {}, time_);
  ASSERT_TRUE(camera) << camera.error().message;
  const auto capture = (*camera)->next(seconds(5));
  ASSERT_TRUE(capture && *capture);
  const RgbImage seen = to_rgb((*capture)->picture);
  ASSERT_EQ(seen.width, kWidth);
  ASSERT_EQ(seen.height, kHeight);
  EXPECT_EQ(n_different(frame, seen, (kWidth - 330) / 2, (kHeight - 210) / 2), 0);
}

TEST_F(ScreenTest, FullScreenShowsFramesPixelForPixel) {
  const auto screen = open("");
  ASSERT_NE(screen, nullptr);
  ASSERT_EQ(screen->format().width_px, kWidth);
  ASSERT_EQ(screen->format().height_px, kHeight);
  const RgbImage frame = noise(kWidth, kHeight);
  ASSERT_TRUE(screen->present(&frame));
  const auto camera = open_camera("x11grab:" + server_->display(), {}, time_);
  ASSERT_TRUE(camera) << camera.error().message;
  const auto capture = (*camera)->next(seconds(5));
  ASSERT_TRUE(capture && *capture);
  EXPECT_EQ(n_different(frame, to_rgb((*capture)->picture), 0, 0), 0);
}

TEST_F(ScreenTest, PartOfADisplayIsThatPart) {
  const auto screen = open("0");
  ASSERT_NE(screen, nullptr);
  const RgbImage frame = noise(kWidth, kHeight);
  ASSERT_TRUE(screen->present(&frame));
  const auto camera = open_camera("x11grab:" + server_->display() + "+30,20:160x120", {}, time_);
  ASSERT_TRUE(camera) << camera.error().message;
  const auto capture = (*camera)->next(seconds(5));
  ASSERT_TRUE(capture && *capture);
  const RgbImage seen = to_rgb((*capture)->picture);
  ASSERT_EQ(seen.width, 160);
  ASSERT_EQ(seen.height, 120);
  EXPECT_EQ(n_different(seen, frame, 30, 20), 0);
}

TEST_F(ScreenTest, DisplayThatEndsGivesNoOldPictures) {
  const auto camera =
      open_camera("x11grab:" + server_->display(), {kWidth, kHeight, 30, ""}, time_);
  ASSERT_TRUE(camera) << camera.error().message;
  ASSERT_TRUE(*(*camera)->next(seconds(5)));
  server_.reset();
  const Instant end = time_.now() + seconds(10);
  while (time_.now() < end && (*camera)->warnings().empty()) {
    static_cast<void>((*camera)->next(milliseconds(100)));
  }
  ASSERT_FALSE((*camera)->warnings().empty());
  static_cast<void>((*camera)->next(Duration::zero()));  // one that waited
  const auto nothing = (*camera)->next(milliseconds(200));
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(*nothing);
}

TEST_F(ScreenTest, NullKeepsWhatIsShown) {
  const auto screen = open("");
  ASSERT_NE(screen, nullptr);
  const RgbImage frame = noise(kWidth, kHeight);
  ASSERT_TRUE(screen->present(&frame));
  ASSERT_TRUE(screen->present(nullptr));
  ASSERT_TRUE(screen->present(nullptr));
  const auto camera = open_camera("x11grab:" + server_->display(), {}, time_);
  ASSERT_TRUE(camera) << camera.error().message;
  const auto capture = (*camera)->next(seconds(5));
  ASSERT_TRUE(capture && *capture);
  EXPECT_EQ(n_different(frame, to_rgb((*capture)->picture), 0, 0), 0);
}

TEST_F(ScreenTest, ChangesFollowTheRefreshAndAreDated) {
  const auto screen = open("window:320x200");
  ASSERT_NE(screen, nullptr);
  EXPECT_EQ(screen->format().refresh_hz, 60);  // what Xvfb does not tell
  ASSERT_TRUE(screen->present(nullptr));
  const Instant start = time_.now();
  Instant last = start;
  for (int i = 0; i < 30; ++i) {
    const auto shown = screen->present(nullptr);
    ASSERT_TRUE(shown);
    EXPECT_GT(*shown, last);
    EXPECT_LE(*shown, time_.now());
    last = *shown;
  }
  // Never faster than the panel; a busy machine may be slower.
  EXPECT_GE(last - start, milliseconds(29 * 1000 / 60));
}

TEST_F(ScreenTest, EscapeQAndClosingAreToldOnceAndItGoesOnShowing) {
  for (const std::uint32_t kind : {0U, 1U, 2U}) {
    const auto screen = open("window:320x200");
    ASSERT_NE(screen, nullptr);
    ASSERT_TRUE(screen->present(nullptr));
    SDL_Event event{};
    event.type = kind == 2 ? SDL_QUIT : SDL_KEYDOWN;
    if (kind < 2) {
      event.key.keysym.sym = kind == 0 ? SDLK_ESCAPE : SDLK_q;
    }
    ASSERT_EQ(SDL_PushEvent(&event), 1);
    const auto shown = screen->present(nullptr);
    ASSERT_FALSE(shown);
    EXPECT_EQ(shown.error().code, ErrorCode::kCancelled);
    EXPECT_TRUE(screen->present(nullptr));
  }
}

TEST_F(ScreenTest, OtherKeysDoNot) {
  const auto screen = open("window:320x200");
  ASSERT_NE(screen, nullptr);
  SDL_Event event{};
  event.type = SDL_KEYDOWN;
  event.key.keysym.sym = SDLK_a;
  ASSERT_EQ(SDL_PushEvent(&event), 1);
  EXPECT_TRUE(screen->present(nullptr));
}

TEST_F(ScreenTest, WindowLargerThanTheDisplayIsRefused) {
  const auto screen = open_screen("window:401x300", "test", time_);
  ASSERT_FALSE(screen);
  EXPECT_EQ(screen.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(screen.error().message.find("400x300"), std::string::npos);
}

TEST_F(ScreenTest, DisplayThatIsNotThereIsRefused) {
  const auto screen = open_screen("1", "test", time_);
  ASSERT_FALSE(screen);
  EXPECT_EQ(screen.error().code, ErrorCode::kNotFound);
}

TEST_F(ScreenTest, DisplaysAreListed) {
  const auto displays = list_displays();
  ASSERT_EQ(displays.size(), 1U);
  EXPECT_EQ(displays[0].number, 0);
  EXPECT_EQ(displays[0].format.width_px, kWidth);
  EXPECT_EQ(displays[0].format.height_px, kHeight);
}

TEST(NoDisplay, IsOneClearLine) {
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  const SteadyTime time;
  const auto screen = open_screen("", "test", time);
  if (screen) {
    GTEST_SKIP() << "SDL found a display all the same: " << (*screen)->name();
  }
  EXPECT_EQ(screen.error().code, ErrorCode::kNotFound);
  EXPECT_NE(screen.error().message.find("DISPLAY"), std::string::npos);
  EXPECT_TRUE(list_displays().empty());
}

}  // namespace
}  // namespace wccl::device
