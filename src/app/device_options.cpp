#include "app/device_options.h"

#include <random>
#include <string>

#include "app/flicker_warning.h"
#include "app/number_range.h"

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

void add_calibration_option(CLI::App& command, DeviceChoice& choice) {
  command
      .add_option("--calibration-timeout", choice.calibration_s,
                  "On real screens: seconds within which all laptops must see one another")
      ->type_name("S")
      ->check(number_in(1.0, 86400.0))
      ->capture_default_str();
}

session::DeviceSessionOptions session_options(std::string_view command,
                                              const DeviceChoice& choice) {
  session::DeviceSessionOptions options;
  options.screen = choice.screen.value_or("");
  options.camera = choice.camera.value_or("");
  options.gentle = choice.gentle;
  options.before_screen = [command = std::string(command), gentle = choice.gentle] {
    return warn_of_flicker(command, gentle);
  };
  options.calibration_deadline = from_seconds(choice.calibration_s);
  options.identity = static_cast<std::uint16_t>(std::random_device()());
  return options;
}

}  // namespace wccl::app
