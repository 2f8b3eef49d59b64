#pragma once

namespace wccl::app {

/// The program `wccl`: reads the command line, does what it says. @return the exit status
/// (exit_status.h).
[[nodiscard]] int run(int argc, char** argv);

}  // namespace wccl::app
