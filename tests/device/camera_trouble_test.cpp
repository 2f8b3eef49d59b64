#include "device/camera_trouble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::device {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class FakeCamera final : public device::Camera {
 public:
  explicit FakeCamera(device::CameraCounts counts = {}) : counts_(counts) {}
  Result<std::optional<Capture>> next(Duration /*patience*/) override { return std::nullopt; }
  [[nodiscard]] std::string name() const override { return "cam"; }
  [[nodiscard]] device::CameraFormat format() const override { return {}; }
  [[nodiscard]] std::vector<std::string> warnings() const override { return {}; }
  [[nodiscard]] device::CameraCounts counts() const override { return counts_; }

 private:
  device::CameraCounts counts_;
};

Capture capture(int width, int height) {
  return make_capture(std::make_shared<const YuvImage>(width, height), Instant(10s));
}

TEST(CameraTrouble, GoodPicturesAreNone) {
  EXPECT_EQ(camera_trouble(FakeCamera(), capture(640, 480), Instant(11s)), "");
}

TEST(CameraTrouble, FirstPictureMayTakeAMoment) {
  EXPECT_EQ(camera_trouble(FakeCamera(), {}, Instant(1s)), "");
  EXPECT_THAT(camera_trouble(FakeCamera(), {}, Instant(4s)), HasSubstr("no picture for 4 s"));
}

TEST(CameraTrouble, StalledIsNamed) {
  EXPECT_THAT(camera_trouble(FakeCamera(), capture(640, 480), Instant(15s)),
              HasSubstr("no picture for 5 s"));
}

TEST(CameraTrouble, UndecodableIsNamed) {
  EXPECT_THAT(camera_trouble(FakeCamera({.captures = 9, .torn = 9}), {}, Instant(1s)),
              HasSubstr("cannot be decoded"));
}

TEST(CameraTrouble, TooSmallIsNamed) {
  EXPECT_THAT(camera_trouble(FakeCamera(), capture(1, 1), Instant(11s)), HasSubstr("1x1"));
}

}  // namespace
}  // namespace wccl::device
