#include "device/camera_recipe.h"

#include <fmt/format.h>

#include "device/format_choice.h"
#include "device/system_camera.h"

namespace wccl::device {
namespace {

std::string size_text(int width, int height) {
  return fmt::format("{}x{}", width, height);
}

InputRecipe display_recipe(const CameraChoice& choice, const CameraFormat& wanted) {
  InputRecipe recipe;
  recipe.name = "x11grab:" + choice.name;
  recipe.url = choice.name;
  recipe.format = "x11grab";
  recipe.is_device = true;
  recipe.options = {
      {"draw_mouse", "0"},
      {"framerate", fmt::format("{}", wanted.fps > 0 ? wanted.fps : kBestCameraFormat.fps)},
      {"grab_x", fmt::format("{}", choice.x)},
      {"grab_y", fmt::format("{}", choice.y)},
  };
  if (choice.size) {
    recipe.options.emplace_back("video_size", size_text(choice.size->width, choice.size->height));
  }
  return recipe;
}

/// A URL as messages may show it: who is asked, but not the password.
std::string without_password(const std::string& url) {
  const auto host = url.find("://") + 3;
  const auto at = url.find('@', host);
  return at == std::string::npos || at > url.find('/', host)
             ? url
             : url.substr(0, host) + url.substr(at + 1);
}

InputRecipe url_recipe(const CameraChoice& choice) {
  InputRecipe recipe;
  recipe.name = without_password(choice.name);
  recipe.url = choice.name;
  // What FFmpeg reads to find out about a stream is late before it begins.
  recipe.options = {{"fflags", "nobuffer"}, {"probesize", "500000"}, {"analyzeduration", "500000"}};
  return recipe;
}

InputRecipe file_recipe(const CameraChoice& choice) {
  InputRecipe recipe;
  recipe.name = choice.name;
  // "file:" keeps a name with a colon from being taken for a protocol.
  recipe.url = "file:" + choice.name;
  recipe.is_file = true;
  return recipe;
}

}  // namespace

Result<InputRecipe> camera_recipe(const CameraChoice& choice, const CameraFormat& wanted) {
  switch (choice.kind) {
    case CameraChoice::Kind::kDisplay:
      return display_recipe(choice, wanted);
    case CameraChoice::Kind::kUrl:
      return url_recipe(choice);
    case CameraChoice::Kind::kFile:
      return file_recipe(choice);
    case CameraChoice::Kind::kDevice:
      break;
  }
  return system_camera_recipe(choice.name, wanted);
}

}  // namespace wccl::device
