#pragma once

#include "app/train_settings.h"

namespace wccl::app {

/// `wccl train`. In a build without LibTorch it says what is missing. @return the exit status.
[[nodiscard]] int train_command(const TrainSettings& settings);

}  // namespace wccl::app
