#include "device/input_error.h"

#include <fmt/format.h>

namespace wccl::device {
namespace {

Error device_error(const InputRecipe& recipe, int code) {
  switch (code) {
    case AVERROR(EBUSY):
      return {ErrorCode::kIo,
              fmt::format("{} is busy: close the program that uses it (a video call? `fuser -v {}` "
                          "names it)",
                          recipe.name, recipe.url)};
    case AVERROR(EACCES):
    case AVERROR(EPERM):
      return {ErrorCode::kIo,
              fmt::format("no permission to use {}: add yourself to its group (sudo usermod -aG "
                          "video $USER) and log in again; on macOS allow it under Privacy, Camera",
                          recipe.name)};
    case AVERROR_DEMUXER_NOT_FOUND:
      return {ErrorCode::kUnsupported,
              fmt::format("the FFmpeg that wccl is built with has no {}", recipe.format)};
    default:
      return {code == AVERROR(ENOENT) || code == AVERROR(ENODEV) || code == AVERROR(ENXIO)
                  ? ErrorCode::kNotFound
                  : ErrorCode::kIo,
              fmt::format("cannot use {}: {}; `wccl devices` lists what there is", recipe.name,
                          ffmpeg_error(code))};
  }
}

Error display_error(const InputRecipe& recipe, int code) {
  if (code == AVERROR(EINVAL)) {
    return {ErrorCode::kInvalidArgument,
            fmt::format("{}: that part is not within the display", recipe.name)};
  }
  if (code == AVERROR_DEMUXER_NOT_FOUND) {
    return device_error(recipe, code);
  }
  return {ErrorCode::kNotFound,
          fmt::format("cannot see {}: is there an X display of that name, and may you use it?",
                      recipe.name)};
}

Error url_error(const InputRecipe& recipe, int code) {
  switch (code) {
    case AVERROR_EXIT:
      return {ErrorCode::kTimeout, fmt::format("{} does not answer: is the camera on, and in "
                                               "this network?",
                                               recipe.name)};
    case AVERROR_HTTP_NOT_FOUND:
      return {ErrorCode::kNotFound,
              fmt::format("{}: the camera answers, but has nothing under that path", recipe.name)};
    case AVERROR_HTTP_UNAUTHORIZED:
    case AVERROR_HTTP_FORBIDDEN:
      return {ErrorCode::kIo, fmt::format("{}: the camera wants a password: "
                                          "http://USER:PASSWORD@...",
                                          recipe.name)};
    case AVERROR_INVALIDDATA:
    case AVERROR_STREAM_NOT_FOUND:
      return {ErrorCode::kCorrupt,
              fmt::format("{} is no video: give the address of the stream itself, not of a page "
                          "around it",
                          recipe.name)};
    default:
      return {ErrorCode::kIo, fmt::format("cannot open {}: {}; is the camera on, and in this "
                                          "network?",
                                          recipe.name, ffmpeg_error(code))};
  }
}

}  // namespace

Error input_error(const InputRecipe& recipe, int ffmpeg_code) {
  if (recipe.format == "x11grab") {
    return display_error(recipe, ffmpeg_code);
  }
  if (recipe.is_device) {
    return device_error(recipe, ffmpeg_code);
  }
  if (recipe.is_file) {
    return {ErrorCode::kCorrupt, fmt::format("{} holds no video that FFmpeg can read: {}",
                                             recipe.name, ffmpeg_error(ffmpeg_code))};
  }
  return url_error(recipe, ffmpeg_code);
}

}  // namespace wccl::device
