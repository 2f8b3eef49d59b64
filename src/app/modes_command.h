#pragma once

namespace wccl::app {

/// `wccl modes`: the ladder of modes with what each bears on a panel of 1920 x 1200.
/// @return the exit status.
[[nodiscard]] int modes_command(bool json);

}  // namespace wccl::app
