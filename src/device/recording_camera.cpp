#include "device/recording_camera.h"

#include <algorithm>
#include <span>
#include <utility>

#include "device/camera_choice.h"
#include "device/camera_recipe.h"
#include "device/picture.h"

namespace wccl::device {
namespace {

/// Two seconds of a usual camera: a disk may be busy with something else for so long.
constexpr std::size_t kDepth = 60;
/// Noise of the camera is larger than what is lost.
constexpr int kQuality = 97;

}  // namespace

Result<std::unique_ptr<RecordingCamera>> RecordingCamera::open(const std::string& choice,
                                                               const CameraFormat& wanted,
                                                               const SteadyTime& time) {
  auto parsed = parse_camera_choice(choice);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  auto reader = CameraReader::open(
      [parsed = std::move(*parsed), wanted] { return camera_recipe(parsed, wanted); }, kDepth,
      time);
  if (!reader) {
    return tl::make_unexpected(reader.error());
  }
  return std::unique_ptr<RecordingCamera>(new RecordingCamera(std::move(*reader), wanted));
}

Result<std::optional<CaptureFile>> RecordingCamera::next(Duration patience) {
  auto raw = reader_->next(patience);
  if (!raw) {
    return tl::make_unexpected(raw.error());
  }
  if (!*raw) {
    return std::nullopt;
  }
  const Instant captured_at = (*raw)->captured_at;
  if ((*raw)->packet && (*raw)->coding->codec_id == AV_CODEC_ID_MJPEG) {
    const AVPacket& packet = *(*raw)->packet;
    const auto* const bytes = reinterpret_cast<const std::byte*>(packet.data);
    const std::span jpeg(bytes, static_cast<std::size_t>(packet.size));
    if (auto readable = check_jpeg(jpeg); !readable) {
      return tl::make_unexpected(readable.error());
    }
    return CaptureFile{{jpeg.begin(), jpeg.end()}, captured_at};
  }
  const auto frame = decoder_.decode(std::move(**raw));
  if (!frame) {
    return tl::make_unexpected(frame.error());
  }
  if (!*frame) {
    return fail(ErrorCode::kCorrupt, "a torn picture");
  }
  auto jpeg = encode_jpeg(view_of(**frame), kQuality);
  if (!jpeg) {
    return tl::make_unexpected(jpeg.error());
  }
  return CaptureFile{std::move(*jpeg), captured_at};
}

}  // namespace wccl::device
