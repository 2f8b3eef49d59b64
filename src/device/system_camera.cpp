#include "device/system_camera.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

extern "C" {
#include <libavdevice/avdevice.h>
}

#include "device/format_choice.h"
#include "device/size_text.h"
#include "device/v4l2.h"

namespace wccl::device {
namespace {

#if defined(__linux__)
constexpr std::string_view kSystem = "v4l2";
#elif defined(__APPLE__)
constexpr std::string_view kSystem = "avfoundation";
#else
constexpr std::string_view kSystem = "dshow";
#endif

/// What FFmpeg lists where we have no list of our own.
std::vector<CameraEntry> list_by_ffmpeg() {
  std::vector<CameraEntry> cameras;
  AVDeviceInfoList* list = nullptr;
  const AVInputFormat* const format = av_find_input_format(kSystem.data());
  if (format == nullptr || avdevice_list_input_sources(format, nullptr, nullptr, &list) < 0) {
    return cameras;
  }
  for (int i = 0; i < list->nb_devices; ++i) {
    const AVDeviceInfo& device = *list->devices[i];
    const bool has_video =
        device.nb_media_types == 0 ||
        std::find(device.media_types, device.media_types + device.nb_media_types,
                  AVMEDIA_TYPE_VIDEO) != device.media_types + device.nb_media_types;
    if (has_video) {
      cameras.push_back({device.device_name, device.device_description, std::string(kSystem), {}});
    }
  }
  avdevice_free_list_devices(&list);
  return cameras;
}

std::string names_of(const std::vector<CameraEntry>& cameras) {
  std::string names;
  for (const auto& camera : cameras) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", camera.name, camera.title);
  }
  return names;
}

tl::unexpected<Error> no_camera(const std::vector<CameraEntry>& cameras, const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_directory(name, ignored)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{} is a folder and no camera: folders of pictures are for `wccl "
                            "receive --one-way` and `wccl decode`",
                            name));
  }
  const std::string asked =
      name.empty() ? "there is no camera" : fmt::format("there is no camera or file {}", name);
  return fail(ErrorCode::kNotFound,
              cameras.empty()
                  ? asked + ": plug one in, or name a stream (http://...) or a display (x11grab::0)"
                  : fmt::format("{}, but {}", asked, names_of(cameras)));
}

/// What FFmpeg's devices take as an address.
std::string address_of(const CameraEntry& camera) {
  return kSystem == "dshow" ? "video=" + camera.name : camera.name;
}

}  // namespace

const CameraEntry* find_camera(const std::vector<CameraEntry>& cameras, const std::string& name) {
  const auto find = [&](auto&& is_meant) -> const CameraEntry* {
    const auto camera = std::find_if(cameras.begin(), cameras.end(), is_meant);
    return camera == cameras.end() ? nullptr : &*camera;
  };
  if (name.empty()) {
    return cameras.empty() ? nullptr : &cameras.front();
  }
  const std::string path = parse_number(name) ? "/dev/video" + name : name;
  if (const auto* const named = find(
          [&](const CameraEntry& camera) { return camera.name == path || camera.name == name; })) {
    return named;
  }
  return find(
      [&](const CameraEntry& camera) { return camera.title.find(name) != std::string::npos; });
}

std::vector<CameraEntry> list_cameras() {
  prepare_ffmpeg();
  return kSystem == "v4l2" ? list_v4l2_cameras() : list_by_ffmpeg();
}

Result<InputRecipe> system_camera_recipe(const std::string& name, const CameraFormat& wanted) {
  const auto cameras = list_cameras();
  const CameraEntry* const camera = find_camera(cameras, name);
  if (camera == nullptr) {
    return no_camera(cameras, name);
  }
  CameraFormat format = kBestCameraFormat;
  if (const CameraFormat* const nearest = nearest_format(camera->formats, wanted)) {
    format = *nearest;
  }
  InputRecipe recipe;
  recipe.name = fmt::format("{} ({})", camera->title, camera->name);
  recipe.url = address_of(*camera);
  recipe.format = kSystem;
  recipe.is_device = true;
  recipe.options = {{"video_size", fmt::format("{}x{}", format.width_px, format.height_px)},
                    {"framerate", fmt::format("{}", format.fps)}};
  if (recipe.format == "v4l2") {
    recipe.options.emplace_back("input_format", format.coding);
  }
  return recipe;
}

}  // namespace wccl::device
