#include "device/camera_trouble.h"

#include <fmt/format.h>

namespace wccl::device {
namespace {

// Slow cameras give one in less, and those that vanish are opened again.
constexpr Duration kSilence = std::chrono::seconds(3);
// In less no screen can be told from another.
constexpr int kLeastPx = 160;

}  // namespace

std::string camera_trouble(const Camera& camera, const Capture& last, Instant now) {
  if (!last.owner && camera.counts().torn > 0) {
    return fmt::format("the pictures of the camera {} cannot be decoded", camera.name());
  }
  if (const Duration silent = now - (last.owner ? last.captured_at : Instant());
      silent > kSilence) {
    return fmt::format(
        "the camera {} has given no picture for {:.0f} s: is it in use by another program, or has "
        "it gone?",
        camera.name(), to_seconds(silent));
  }
  if (const auto& luma = last.picture.y;
      last.owner && (luma.width < kLeastPx || luma.height < kLeastPx)) {
    return fmt::format("the camera {} gives pictures of {}x{}, in which no screen can be read",
                       camera.name(), luma.width, luma.height);
  }
  return "";
}

}  // namespace wccl::device
