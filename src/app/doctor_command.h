#pragma once

#include <CLI/CLI.hpp>

#include "app/device_options.h"

namespace wccl::app {

struct DoctorCommand {
  DeviceChoice devices;
};

CLI::App* add_doctor(CLI::App& program, DoctorCommand& command);

/// `wccl doctor`: looks at build, processor, displays, camera and light, and says what to change.
int doctor_command(const DoctorCommand& command);

}  // namespace wccl::app
