#include "device/format_choice.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace wccl::device {
namespace {

double pixels(const CameraFormat& format) {
  return static_cast<double>(format.width_px) * format.height_px;
}

/// Halving the pixels costs as much as halving the pictures a second.
double distance(const CameraFormat& offered, const CameraFormat& target) {
  constexpr double kOtherShape = 0.01;  // between two of nearly as many pixels
  constexpr double kOtherCoding = 0.1;
  constexpr double kTooOften = 0.05;  // more light and less work are worth little beside a miss
  const double more_often = std::log(offered.fps / target.fps);
  const bool same_shape =
      offered.width_px * target.height_px == offered.height_px * target.width_px;
  return std::abs(std::log(pixels(offered) / pixels(target))) + std::max(0.0, -more_often) +
         kTooOften * std::max(0.0, more_often) + (same_shape ? 0 : kOtherShape) +
         (offered.coding == target.coding ? 0 : kOtherCoding);
}

bool can_be_compared(const CameraFormat& format) {
  return format.width_px > 0 && format.height_px > 0 && format.fps > 0;
}

/// @return what is wanted, and of `usual` where that says nothing.
CameraFormat completed(const CameraFormat& wanted, CameraFormat usual) {
  if (wanted.width_px > 0 && wanted.height_px > 0) {
    usual.width_px = wanted.width_px;
    usual.height_px = wanted.height_px;
  }
  usual.fps = wanted.fps > 0 ? wanted.fps : usual.fps;
  usual.coding = wanted.coding.empty() ? usual.coding : wanted.coding;
  return usual;
}

}  // namespace

const CameraFormat* nearest_format(std::span<const CameraFormat> offered,
                                   const CameraFormat& wanted) {
  const CameraFormat target = completed(wanted, kBestCameraFormat);
  const CameraFormat* nearest = nullptr;
  for (const auto& format : offered) {
    if (can_be_compared(format) &&
        (nearest == nullptr || distance(format, target) < distance(*nearest, target))) {
      nearest = &format;
    }
  }
  return nearest;
}

std::optional<std::string> format_warning(const CameraFormat& given, const CameraFormat& wanted) {
  // Where nothing was asked for, 720p and 24 pictures a second pass without a word.
  const CameraFormat least = completed(wanted, {1280, 720, 24, ""});
  constexpr double kAlmost = 0.95;  // 29.97 is 30
  const bool is_small = given.width_px > 0 && pixels(given) < kAlmost * pixels(least);
  const bool is_slow = given.fps > 0 && given.fps < kAlmost * least.fps;
  const bool is_other = wanted.width_px > 0 && given.width_px > 0 &&
                        (given.width_px != wanted.width_px || given.height_px != wanted.height_px);
  if (!is_small && !is_slow && !is_other) {
    return std::nullopt;
  }
  const CameraFormat target = completed(wanted, kBestCameraFormat);
  return fmt::format("gives {}x{} at {:.3g} pictures/s, not {}x{} at {:.3g}", given.width_px,
                     given.height_px, given.fps, target.width_px, target.height_px, target.fps);
}

}  // namespace wccl::device
