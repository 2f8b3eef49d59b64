#include "app/device_options.h"

#include <random>

namespace wccl::app {

void add_device_options(CLI::App& command, DeviceChoice& choice) {
  command
      .add_option("--screen", choice.screen,
                  "A real screen: a display's number (full screen), or window[:WxH] "
                  "(`wccl devices` lists displays)")
      ->type_name("SCREEN");
  command
      .add_option(
          "--camera", choice.camera,
          "A real camera: its number or name (`wccl devices`), x11grab:DISPLAY, a URL, or a "
          "recording")
      ->type_name("CAMERA");
  command.add_flag("--gentle", choice.gentle,
                   "On a real screen: at most 3 changes a second, and of low contrast");
}

session::DeviceSessionOptions session_options(const DeviceChoice& choice) {
  session::DeviceSessionOptions options;
  options.screen = choice.screen.value_or("");
  options.camera = choice.camera.value_or("");
  options.gentle = choice.gentle;
  options.identity = static_cast<std::uint16_t>(std::random_device()());
  return options;
}

}  // namespace wccl::app
