#pragma once

namespace wccl::app {

/// Prints the cameras and displays of this machine. @return the exit status.
[[nodiscard]] int devices_command(bool json);

}  // namespace wccl::app
