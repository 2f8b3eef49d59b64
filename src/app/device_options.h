#pragma once

#include <string_view>

#include <CLI/CLI.hpp>

#include "app/device_choice.h"
#include "session/device_session.h"

namespace wccl::app {

/// Adds --screen and --camera.
void add_device_options(CLI::App& command, DeviceChoice& choice);

/// Adds --calibration-timeout, for commands that give up when not all laptops see one another.
void add_calibration_option(CLI::App& command, DeviceChoice& choice);

/// A session on these devices, with an identity drawn for it, that warns of its flicker.
/// @param command  For that warning.
[[nodiscard]] session::DeviceSessionOptions session_options(std::string_view command,
                                                            const DeviceChoice& choice);

}  // namespace wccl::app
