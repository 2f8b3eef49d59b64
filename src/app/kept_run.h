#pragma once

#include <filesystem>

#include "wccl/result.h"

#include "app/train_options.h"

namespace wccl::app {

/// Puts the options of the run in `folder` (its config.json) in place of those in `texts`: what
/// --resume goes on with, but for what else is typed.
/// @return kNotFound when there is no run; kCorrupt when its config.json cannot be understood.
[[nodiscard]] Status take_kept_options(const std::filesystem::path& folder,
                                       TrainOptionTexts& texts);

}  // namespace wccl::app
