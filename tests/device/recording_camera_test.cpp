#include "device/recording_camera.h"

#include <cstring>

#include <gtest/gtest.h>

#include "device/picture.h"
#include "device/screen.h"
#include "mjpeg_server.h"
#include "x_server.h"

namespace wccl::device {
namespace {

using std::chrono::seconds;

TEST(RecordingCamera, KeepsAllJpegsAsTheyCame) {
  MjpegServer server;
  std::vector<std::string> sent;
  for (int i = 0; i < 8; ++i) {
    sent.push_back(grey_jpeg(320, 240, 20 * i));
    server.push(sent.back());
  }
  const SteadyTime time;
  const auto camera = RecordingCamera::open(server.url(), {}, time);
  ASSERT_TRUE(camera) << camera.error().message;
  for (const auto& jpeg : sent) {
    const auto capture = (*camera)->next(seconds(5));
    ASSERT_TRUE(capture && *capture);
    ASSERT_EQ((*capture)->jpeg.size(), jpeg.size());
    EXPECT_EQ(std::memcmp((*capture)->jpeg.data(), jpeg.data(), jpeg.size()), 0);
  }
  EXPECT_EQ((*camera)->counts().dropped, 0U);
}

TEST(RecordingCamera, KeepsNothingThatIsNoPicture) {
  MjpegServer server;
  server.push("what is no picture");
  server.push(grey_jpeg(320, 240, 100));
  const SteadyTime time;
  const auto camera = RecordingCamera::open(server.url(), {}, time);
  ASSERT_TRUE(camera) << camera.error().message;
  const auto none = (*camera)->next(seconds(5));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kCorrupt);
  const auto capture = (*camera)->next(seconds(5));
  EXPECT_TRUE(capture && *capture);
}

TEST(RecordingCamera, MakesJpegsOfRawPictures) {
  const auto server = XServer::start(400, 300);
  if (!server) {
    GTEST_SKIP() << "needs Xvfb (package xvfb)";
  }
  const SteadyTime time;
  const auto screen = open_screen("", "test", time);
  ASSERT_TRUE(screen) << screen.error().message;
  RgbImage frame(400, 300);
  for (std::size_t i = 0; i < frame.pixels.size(); ++i) {
    frame.pixels[i] = i % 3 == 0 ? 200 : 50;
  }
  ASSERT_TRUE((*screen)->present(&frame));
  const auto camera = RecordingCamera::open("x11grab:" + server->display() + ":399x299", {}, time);
  ASSERT_TRUE(camera) << camera.error().message;
  const auto capture = (*camera)->next(seconds(5));
  ASSERT_TRUE(capture && *capture);
  const auto picture = decode_jpeg((*capture)->jpeg);
  ASSERT_TRUE(picture) << picture.error().message;
  const RgbImage seen = to_rgb(picture->view());
  ASSERT_EQ(seen.width, 399);
  ASSERT_EQ(seen.height, 299);
  for (std::size_t i = 0; i < seen.pixels.size(); ++i) {
    ASSERT_NEAR(seen.pixels[i], i % 3 == 0 ? 200 : 50, 4) << i;
  }
}

}  // namespace
}  // namespace wccl::device
