#include "device/v4l2.h"

#ifdef __linux__

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>

#include "device/file_descriptor.h"

namespace wccl::device {
namespace {

constexpr int kMostDevices = 64;

struct Coding {
  std::uint32_t v4l2 = 0;
  const char* ffmpeg = nullptr;
};
constexpr std::array kCodings{
    Coding{V4L2_PIX_FMT_MJPEG, "mjpeg"},  Coding{V4L2_PIX_FMT_JPEG, "mjpeg"},
    Coding{V4L2_PIX_FMT_YUYV, "yuyv422"}, Coding{V4L2_PIX_FMT_UYVY, "uyvy422"},
    Coding{V4L2_PIX_FMT_NV12, "nv12"},    Coding{V4L2_PIX_FMT_YUV420, "yuv420p"},
    Coding{V4L2_PIX_FMT_H264, "h264"},    Coding{V4L2_PIX_FMT_RGB24, "rgb24"},
    Coding{V4L2_PIX_FMT_BGR24, "bgr24"},
};

const char* ffmpeg_name(std::uint32_t v4l2) {
  const auto coding = std::find_if(kCodings.begin(), kCodings.end(),
                                   [v4l2](const Coding& entry) { return entry.v4l2 == v4l2; });
  return coding == kCodings.end() ? nullptr : coding->ffmpeg;
}

double per_second(const v4l2_fract& interval) {
  return interval.numerator == 0
             ? 0
             : static_cast<double>(interval.denominator) / static_cast<double>(interval.numerator);
}

/// The shortest interval that a size can be had at.
double best_fps(const V4l2Ioctl& ioctl,
                std::uint32_t coding,
                std::uint32_t width,
                std::uint32_t height) {
  double best = 0;
  v4l2_frmivalenum interval{};
  interval.pixel_format = coding;
  interval.width = width;
  interval.height = height;
  for (; ioctl(VIDIOC_ENUM_FRAMEINTERVALS, &interval) >= 0; ++interval.index) {
    if (interval.type != V4L2_FRMIVAL_TYPE_DISCRETE) {
      return per_second(interval.stepwise.min);
    }
    best = std::max(best, per_second(interval.discrete));
  }
  return best;
}

void add_sizes(const V4l2Ioctl& ioctl, std::uint32_t coding, std::vector<CameraFormat>& formats) {
  const auto add = [&](std::uint32_t width, std::uint32_t height) {
    formats.push_back({static_cast<int>(width), static_cast<int>(height),
                       best_fps(ioctl, coding, width, height), ffmpeg_name(coding)});
  };
  v4l2_frmsizeenum size{};
  size.pixel_format = coding;
  for (; ioctl(VIDIOC_ENUM_FRAMESIZES, &size) >= 0; ++size.index) {
    if (size.type != V4L2_FRMSIZE_TYPE_DISCRETE) {
      // Any size up to the largest: those that webcams have are enough.
      for (const auto& [width, height] :
           {std::pair{1920U, 1080U}, std::pair{1280U, 720U}, std::pair{640U, 480U}}) {
        if (width <= size.stepwise.max_width && height <= size.stepwise.max_height) {
          add(width, height);
        }
      }
      return;
    }
    add(size.discrete.width, size.discrete.height);
  }
}

}  // namespace

std::optional<std::string> v4l2_title(const V4l2Ioctl& ioctl) {
  v4l2_capability capability{};
  if (ioctl(VIDIOC_QUERYCAP, &capability) < 0) {
    return std::nullopt;
  }
  const std::uint32_t can = (capability.capabilities & V4L2_CAP_DEVICE_CAPS) != 0
                                ? capability.device_caps
                                : capability.capabilities;
  if ((can & V4L2_CAP_VIDEO_CAPTURE) == 0 || (can & V4L2_CAP_STREAMING) == 0) {
    return std::nullopt;
  }
  const auto* const card = reinterpret_cast<const char*>(capability.card);
  return std::string(card, std::find(card, card + sizeof(capability.card), '\0'));
}

std::vector<CameraFormat> v4l2_formats(const V4l2Ioctl& ioctl) {
  std::vector<CameraFormat> formats;
  v4l2_fmtdesc description{};
  description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  for (; ioctl(VIDIOC_ENUM_FMT, &description) >= 0; ++description.index) {
    if (ffmpeg_name(description.pixelformat) != nullptr) {
      add_sizes(ioctl, description.pixelformat, formats);
    }
  }
  return formats;
}

std::vector<CameraEntry> list_v4l2_cameras() {
  std::vector<CameraEntry> cameras;
  for (int number = 0; number < kMostDevices; ++number) {
    const std::string path = fmt::format("/dev/video{}", number);
    const FileDescriptor device(path.c_str(), O_RDWR | O_NONBLOCK);
    if (!device.is_open()) {
      if (errno == EACCES || errno == EPERM) {
        cameras.push_back({path, "no permission to ask for its name", "v4l2", {}});
      }
      continue;
    }
    const V4l2Ioctl ask = [&device](unsigned long request, void* argument) {
      return ::ioctl(device.number(), request, argument);
    };
    if (const auto title = v4l2_title(ask)) {
      cameras.push_back({path, *title, "v4l2", v4l2_formats(ask)});
    }
  }
  return cameras;
}

}  // namespace wccl::device

#else

namespace wccl::device {

std::optional<std::string> v4l2_title(const V4l2Ioctl& /*ioctl*/) {
  return std::nullopt;
}
std::vector<CameraFormat> v4l2_formats(const V4l2Ioctl& /*ioctl*/) {
  return {};
}
std::vector<CameraEntry> list_v4l2_cameras() {
  return {};
}

}  // namespace wccl::device

#endif
