#include "device/v4l2_controls.h"

#ifdef __linux__

#include <algorithm>

#include <fmt/format.h>
#include <linux/videodev2.h>

namespace wccl::device {
namespace {

constexpr double kUnitsPerSecond = 10'000;  // of V4L2_CID_EXPOSURE_ABSOLUTE: 100 us each

double milliseconds_of(std::int32_t exposure) {
  return 1000 * exposure / kUnitsPerSecond;
}

}  // namespace

std::optional<std::int32_t> V4l2Controls::get(std::uint32_t control) const {
  v4l2_control value{};
  value.id = control;
  if (ioctl_(VIDIOC_G_CTRL, &value) < 0) {
    return std::nullopt;
  }
  return value.value;
}

bool V4l2Controls::set(std::uint32_t control, std::int32_t value) {
  const auto before = get(control);
  if (!before) {
    return false;
  }
  v4l2_control request{};
  request.id = control;
  request.value = value;
  if (ioctl_(VIDIOC_S_CTRL, &request) < 0) {
    return false;
  }
  before_.emplace_back(control, *before);
  return true;
}

V4l2Controls::~V4l2Controls() {
  // Backwards: manual values can be set only while the automatic is off.
  for (auto control = before_.rbegin(); control != before_.rend(); ++control) {
    v4l2_control request{};
    request.id = control->first;
    request.value = control->second;
    static_cast<void>(ioctl_(VIDIOC_S_CTRL, &request));
  }
}

std::optional<std::string> V4l2Controls::lock_exposure(double fps) {
  // Some cameras lower the rate in the dark; it is none that we can do without.
  set(V4L2_CID_EXPOSURE_AUTO_PRIORITY, 0);
  const auto exposure = get(V4L2_CID_EXPOSURE_ABSOLUTE);
  if (!exposure || !set(V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_MANUAL)) {
    return "cannot lock its exposure: keep the light in the room steady";
  }
  const auto longest = static_cast<std::int32_t>(kUnitsPerSecond / fps / 2);
  if (!set(V4L2_CID_EXPOSURE_ABSOLUTE, std::clamp(*exposure, 1, longest))) {
    return "did not take an exposure: keep the light in the room steady";
  }
  if (*exposure > longest) {
    return fmt::format(
        "wants {:.0f} ms of light for a picture and gets {:.0f}: make the other "
        "screens brighter",
        milliseconds_of(*exposure), milliseconds_of(longest));
  }
  return std::nullopt;
}

std::vector<std::string> V4l2Controls::lock(double fps) {
  std::vector<std::string> lines;
  if (auto line = lock_exposure(fps)) {
    lines.push_back(std::move(*line));
  }
  if (!set(V4L2_CID_AUTO_WHITE_BALANCE, 0)) {
    lines.emplace_back("cannot lock its white balance: keep the light in the room steady");
  }
  // Without this control the focus is fixed, and all is well.
  if (get(V4L2_CID_FOCUS_AUTO) && !set(V4L2_CID_FOCUS_AUTO, 0)) {
    lines.emplace_back("cannot lock its focus: nothing should move in front of it");
  }
  return lines;
}

}  // namespace wccl::device

#else

namespace wccl::device {

V4l2Controls::~V4l2Controls() = default;

std::vector<std::string> V4l2Controls::lock(double /*fps*/) {
  return {};
}

}  // namespace wccl::device

#endif
