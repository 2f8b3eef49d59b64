#ifdef __linux__

#include "device/v4l2.h"

#include <cstring>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <linux/videodev2.h>

#include "device/v4l2_controls.h"

namespace wccl::device {
namespace {

/// Answers as the driver of a webcam does.
class FakeWebcam {
 public:
  struct Size {
    std::uint32_t coding, width, height, fps;
  };
  std::uint32_t capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
  std::vector<std::uint32_t> codings{V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG, V4L2_PIX_FMT_SBGGR8};
  std::vector<Size> sizes{{V4L2_PIX_FMT_YUYV, 640, 480, 30},
                          {V4L2_PIX_FMT_MJPEG, 640, 480, 30},
                          {V4L2_PIX_FMT_MJPEG, 1920, 1080, 30},
                          {V4L2_PIX_FMT_SBGGR8, 1920, 1080, 60}};
  std::map<std::uint32_t, std::int32_t> controls{
      {V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY},
      {V4L2_CID_EXPOSURE_ABSOLUTE, 120},
      {V4L2_CID_EXPOSURE_AUTO_PRIORITY, 1},
      {V4L2_CID_AUTO_WHITE_BALANCE, 1},
      {V4L2_CID_FOCUS_AUTO, 1}};

  [[nodiscard]] V4l2Ioctl ioctl() {
    return [this](unsigned long request, void* argument) { return answer(request, argument); };
  }

 private:
  int answer(unsigned long request, void* argument) {
    switch (request) {
      case VIDIOC_QUERYCAP: {
        auto& capability = *static_cast<v4l2_capability*>(argument);
        // All the device's nodes together can more than this one.
        capability.capabilities = V4L2_CAP_DEVICE_CAPS | V4L2_CAP_VIDEO_CAPTURE |
                                  V4L2_CAP_STREAMING | V4L2_CAP_META_CAPTURE;
        capability.device_caps = capabilities;
        std::memcpy(capability.card, "Fake Cam", 9);
        return 0;
      }
      case VIDIOC_ENUM_FMT: {
        auto& description = *static_cast<v4l2_fmtdesc*>(argument);
        if (description.index >= codings.size()) {
          return -1;
        }
        description.pixelformat = codings[description.index];
        return 0;
      }
      case VIDIOC_ENUM_FRAMESIZES:
        return enum_size(*static_cast<v4l2_frmsizeenum*>(argument));
      case VIDIOC_ENUM_FRAMEINTERVALS:
        return enum_interval(*static_cast<v4l2_frmivalenum*>(argument));
      case VIDIOC_G_CTRL: {
        auto& control = *static_cast<v4l2_control*>(argument);
        const auto found = controls.find(control.id);
        if (found == controls.end()) {
          return -1;
        }
        control.value = found->second;
        return 0;
      }
      case VIDIOC_S_CTRL: {
        const auto& control = *static_cast<const v4l2_control*>(argument);
        // As UVC cameras do.
        if (controls.count(control.id) == 0 ||
            (control.id == V4L2_CID_EXPOSURE_ABSOLUTE &&
             controls[V4L2_CID_EXPOSURE_AUTO] != V4L2_EXPOSURE_MANUAL)) {
          return -1;
        }
        controls[control.id] = control.value;
        return 0;
      }
      default:
        return -1;
    }
  }
  int enum_size(v4l2_frmsizeenum& size) {
    std::uint32_t index = size.index;
    for (const Size& offered : sizes) {
      if (offered.coding == size.pixel_format && index-- == 0) {
        size.type = V4L2_FRMSIZE_TYPE_DISCRETE;
        size.discrete = {offered.width, offered.height};
        return 0;
      }
    }
    return -1;
  }
  int enum_interval(v4l2_frmivalenum& interval) {
    for (const Size& offered : sizes) {
      if (offered.coding == interval.pixel_format && offered.width == interval.width &&
          offered.height == interval.height && interval.index < 2) {
        interval.type = V4L2_FRMIVAL_TYPE_DISCRETE;
        interval.discrete = {interval.index + 1, offered.fps};  // full rate, then half of it
        return 0;
      }
    }
    return -1;
  }
};

TEST(V4l2, FormatsAreThoseThatCanBeRead) {
  FakeWebcam webcam;
  const auto formats = v4l2_formats(webcam.ioctl());
  ASSERT_EQ(formats.size(), 3U);
  EXPECT_EQ(formats[0].coding, "yuyv422");
  EXPECT_EQ(formats[2].coding, "mjpeg");
  EXPECT_EQ(formats[2].width_px, 1920);
  EXPECT_EQ(formats[2].height_px, 1080);
  EXPECT_EQ(formats[2].fps, 30);
}

TEST(V4l2, NodeForMetadataIsNoCamera) {
  FakeWebcam webcam;
  EXPECT_EQ(v4l2_title(webcam.ioctl()), "Fake Cam");
  webcam.capabilities = V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING;
  EXPECT_FALSE(v4l2_title(webcam.ioctl()));
}

TEST(V4l2Controls, LockKeepsWhatTheAutomaticsFoundAndThenPutsThemBack) {
  FakeWebcam webcam;
  const auto before = webcam.controls;
  {
    V4l2Controls controls(webcam.ioctl());
    EXPECT_TRUE(controls.lock(30).empty());
    EXPECT_EQ(webcam.controls[V4L2_CID_EXPOSURE_AUTO], V4L2_EXPOSURE_MANUAL);
    EXPECT_EQ(webcam.controls[V4L2_CID_EXPOSURE_ABSOLUTE], 120);
    EXPECT_EQ(webcam.controls[V4L2_CID_EXPOSURE_AUTO_PRIORITY], 0);
    EXPECT_EQ(webcam.controls[V4L2_CID_AUTO_WHITE_BALANCE], 0);
    EXPECT_EQ(webcam.controls[V4L2_CID_FOCUS_AUTO], 0);
  }
  EXPECT_EQ(webcam.controls, before);
}

TEST(V4l2Controls, ExposureIsAtMostHalfAPicture) {
  FakeWebcam webcam;
  webcam.controls[V4L2_CID_EXPOSURE_ABSOLUTE] = 333;
  V4l2Controls controls(webcam.ioctl());
  const auto lines = controls.lock(30);
  EXPECT_EQ(webcam.controls[V4L2_CID_EXPOSURE_ABSOLUTE], 166);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("brighter"), std::string::npos);
}

TEST(V4l2Controls, SaysWhatCannotBeLocked) {
  FakeWebcam webcam;
  webcam.controls.clear();
  V4l2Controls controls(webcam.ioctl());
  EXPECT_EQ(controls.lock(30).size(), 2U);  // exposure and white balance; focus is fixed
}

}  // namespace
}  // namespace wccl::device

#endif
