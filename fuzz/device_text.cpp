// device: sizes, screens and cameras as somebody typed them.
#include <string>
#include <string_view>

#include "device/camera_choice.h"
#include "device/camera_recipe.h"
#include "device/screen_choice.h"
#include "device/size_text.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace device;

void check_sizes(std::string_view text) {
  const auto number = parse_number(text);
  require(!number || *number >= 0);
  const auto size = parse_size(text);
  if (size) {
    require(size->width > 0 && size->height > 0);
    require(parse_size(std::to_string(size->width) + "x" + std::to_string(size->height)) == size);
  }
}

void check_screen(std::string_view text) {
  const auto screen = parse_screen_choice(text);
  require(screen.has_value() || !screen.error().message.empty());
  if (screen) {
    require(screen->display >= 0 && screen->width_px <= kMostFrameSide);
    require(screen->width_px == 0 || screen->height_px >= kLeastWindowHeight);
  }
}

void check_camera(std::string_view text) {
  // Names of devices are looked for, and this machine's are none of ours.
  const auto camera = parse_camera_choice(text);
  require(camera.has_value() || !camera.error().message.empty());
  if (!camera || camera->kind == CameraChoice::Kind::kDevice) {
    return;
  }
  require(camera->x >= 0 && camera->y >= 0);
  const auto recipe = camera_recipe(*camera, {});
  require(recipe.has_value() && !recipe->url.empty());
}

}  // namespace

void check(std::span<const std::byte> input) {
  const std::string_view text = as_text(input);
  check_sizes(text);
  check_screen(text);
  check_camera(text);
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const std::string_view text :
       {"1280x800", "window:1280x800", "1", "window", "x11grab::99+10,20:640x480", "x11grab::0.1",
        "http://user:secret@phone:8080/video", "/dev/video0"}) {
    const auto bytes = std::as_bytes(std::span(text));
    seeds.emplace_back(bytes.begin(), bytes.end());
  }
  return seeds;
}

}  // namespace wccl::fuzz
