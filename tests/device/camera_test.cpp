#include "device/camera.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "mjpeg_server.h"

namespace wccl::device {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// Waits for what another thread will do soon.
template <class Condition>
bool comes_true(const Condition& condition) {
  for (int i = 0; i < 1000 && !condition(); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  return condition();
}

/// Luma in the middle of the picture.
int level(const Capture& capture) {
  const PlaneView& y = capture.picture.y;
  return y.row(y.height / 2)[y.width / 2];
}

class WebCameraTest : public testing::Test {
 protected:
  std::unique_ptr<Camera> open(const std::string& url) {
    auto camera = open_camera(url, {}, time_);
    EXPECT_TRUE(camera) << camera.error().message;
    return camera ? std::move(*camera) : nullptr;
  }
  SteadyTime time_;
};

TEST_F(WebCameraTest, GivesPlanesOfItsJpegs) {
  MjpegServer server;
  server.push(grey_jpeg(322, 242, 77));
  const auto camera = open(server.url());
  ASSERT_NE(camera, nullptr);
  EXPECT_EQ(camera->name(), server.url());
  const auto capture = camera->next(seconds(5));
  ASSERT_TRUE(capture && *capture);
  EXPECT_EQ((*capture)->picture.y.width, 322);
  EXPECT_EQ((*capture)->picture.y.height, 242);
  EXPECT_EQ((*capture)->picture.cb.width, 161);
  EXPECT_EQ((*capture)->picture.cb.height, 121);
  EXPECT_NEAR(level(**capture), 77, 1);
  EXPECT_LE((*capture)->captured_at, time_.now());
  EXPECT_EQ(camera->format().width_px, 322);
  EXPECT_EQ(camera->format().coding, "mjpeg");
}

TEST_F(WebCameraTest, ACaptureOutlivesItsCamera) {
  MjpegServer server;
  server.push(grey_jpeg(320, 240, 90));
  auto camera = open(server.url());
  ASSERT_NE(camera, nullptr);
  auto capture = camera->next(seconds(5));
  ASSERT_TRUE(capture && *capture);
  camera.reset();
  EXPECT_NEAR(level(**capture), 90, 1);
}

TEST_F(WebCameraTest, GivesTheNewestAndNoneTwice) {
  MjpegServer server;
  server.push(grey_jpeg(320, 240, 10));
  const auto camera = open(server.url());
  ASSERT_NE(camera, nullptr);
  for (int i = 1; i <= 20; ++i) {
    server.push(grey_jpeg(320, 240, 10 + 10 * i));
  }
  ASSERT_TRUE(comes_true([&] { return camera->counts().captures == 21; }));
  const auto newest = camera->next(seconds(5));
  ASSERT_TRUE(newest && *newest);
  EXPECT_NEAR(level(**newest), 210, 1);
  EXPECT_EQ(camera->counts().dropped, 20U);
  const auto another = camera->next(milliseconds(50));
  ASSERT_TRUE(another);
  EXPECT_FALSE(*another);
}

TEST_F(WebCameraTest, TornPicturesAreCountedAndPassedOver) {
  MjpegServer server;
  server.push(grey_jpeg(320, 240, 10));
  const auto camera = open(server.url());
  ASSERT_NE(camera, nullptr);
  ASSERT_TRUE(comes_true([&] { return camera->counts().captures == 1; }));
  auto first = camera->next(seconds(5));
  ASSERT_TRUE(first && *first);
  server.push("this is no JPEG");
  ASSERT_TRUE(comes_true([&] { return camera->counts().captures == 2; }));
  const auto none = camera->next(milliseconds(50));
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  EXPECT_EQ(camera->counts().torn, 1U);
  server.push(grey_jpeg(320, 240, 200));
  const auto next = camera->next(seconds(5));
  ASSERT_TRUE(next && *next);
  EXPECT_NEAR(level(**next), 200, 1);
}

TEST_F(WebCameraTest, IsOpenedAgainWhenItHasVanished) {
  std::optional<MjpegServer> server(std::in_place);
  const int port = server->port();
  server->push(grey_jpeg(320, 240, 10));
  const auto camera = open(server->url());
  ASSERT_NE(camera, nullptr);
  ASSERT_TRUE(*camera->next(seconds(5)));
  server.reset();
  const auto nothing = camera->next(milliseconds(100));
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(*nothing);
  ASSERT_TRUE(comes_true([&] { return !camera->warnings().empty(); }));
  EXPECT_NE(camera->warnings()[0].find("vanished"), std::string::npos);

  server.emplace(port);
  server->push(grey_jpeg(640, 480, 120));  // and may have changed meanwhile
  const auto back = camera->next(seconds(10));
  ASSERT_TRUE(back && *back);
  EXPECT_NEAR(level(**back), 120, 1);
  EXPECT_EQ((*back)->picture.y.width, 640);
  EXPECT_EQ(camera->counts().reopened, 1U);
}

TEST_F(WebCameraTest, SilentOneIsLeftAtOnce) {
  MjpegServer server;
  server.push(grey_jpeg(320, 240, 10));
  auto camera = open(server.url());
  ASSERT_NE(camera, nullptr);
  ASSERT_TRUE(*camera->next(seconds(5)));
  const Instant start = time_.now();
  camera.reset();
  EXPECT_LT(time_.now() - start, seconds(1));
}

TEST_F(WebCameraTest, SilentOneIsAskedAgain) {
  MjpegServer server;
  server.push(grey_jpeg(320, 240, 10));
  const auto camera = open(server.url());
  ASSERT_NE(camera, nullptr);
  EXPECT_TRUE(comes_true([&] { return server.n_viewers() == 2; }));
}

TEST_F(WebCameraTest, NobodyThereIsOneClearLine) {
  const auto refused = open_camera("http://127.0.0.1:1/video", {}, time_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kIo);
  EXPECT_NE(refused.error().message.find("refused"), std::string::npos);
  MjpegServer server;
  const auto missing =
      open_camera("http://me:secret@127.0.0.1:" + std::to_string(server.port()) + "/x", {}, time_);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message.find("secret"), std::string::npos);
}

TEST(Camera, MissingOnesAreOneClearLine) {
  const SteadyTime time;
  const auto device = open_camera("no such camera", {}, time);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code, ErrorCode::kNotFound);
  const auto folder = open_camera(WCCL_SOURCE_DIR "/tests", {}, time);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::kNotFound);
  EXPECT_NE(folder.error().message.find("--one-way"), std::string::npos);
  const auto display = open_camera("x11grab::4711", {}, time);
  ASSERT_FALSE(display);
  EXPECT_EQ(display.error().code, ErrorCode::kNotFound);
  const auto text = open_camera(WCCL_SOURCE_DIR "/README.md", {}, time);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kCorrupt);
}

/// A file of JPEGs, one behind the other, which FFmpeg takes for 25 pictures a second.
class FileCameraTest : public testing::Test {
 protected:
  void write(int n_pictures) {
    std::FILE* const file = std::fopen(path_.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    for (int i = 0; i < n_pictures; ++i) {
      const std::string jpeg = grey_jpeg(320, 240, 20 * i);
      ASSERT_EQ(std::fwrite(jpeg.data(), 1, jpeg.size(), file), jpeg.size());
    }
    ASSERT_EQ(std::fclose(file), 0);
  }
  void TearDown() override { fs::remove(path_); }

  fs::path path_ =
      fs::temp_directory_path() / ("wccl-camera-" + std::to_string(getpid()) + ".mjpeg");
  SteadyTime time_;
};

TEST_F(FileCameraTest, PlaysAtItsOwnSpeedAndEnds) {
  write(10);
  const auto camera = open_camera(path_.string(), {}, time_);
  ASSERT_TRUE(camera) << camera.error().message;
  std::vector<Instant> times;
  std::vector<int> levels;
  while (true) {
    const auto capture = (*camera)->next(seconds(5));
    if (!capture) {
      EXPECT_EQ(capture.error().code, ErrorCode::kNotFound);
      EXPECT_NE(capture.error().message.find("ended"), std::string::npos);
      break;
    }
    ASSERT_TRUE(*capture);
    times.push_back((*capture)->captured_at);
    levels.push_back(level(**capture));
  }
  EXPECT_EQ((*camera)->counts().captures, 10U);
  ASSERT_GE(times.size(), 2U);  // a busy machine may miss some
  EXPECT_NEAR(levels.back(), 180, 1);
  for (std::size_t i = 1; i < times.size(); ++i) {
    const auto steps = std::lround((levels[i] - levels[i - 1]) / 20.0);
    EXPECT_EQ(times[i] - times[i - 1], steps * milliseconds(40));
  }
  EXPECT_GE(time_.now(), times.back());
}

TEST_F(FileCameraTest, IsLeftAtOnce) {
  write(100);
  auto camera = open_camera(path_.string(), {}, time_);
  ASSERT_TRUE(camera) << camera.error().message;
  ASSERT_TRUE((*camera)->next(seconds(5)));
  const Instant start = time_.now();
  camera->reset();
  EXPECT_LT(time_.now() - start, seconds(1));
}

}  // namespace
}  // namespace wccl::device
