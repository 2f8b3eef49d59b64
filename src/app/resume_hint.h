#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/summary.h"
#include "app/train_settings.h"

namespace wccl::app {

/// The command that goes on with a run, as one would type it on this machine.
[[nodiscard]] std::string resume_command(const TrainSettings& settings,
                                         const std::filesystem::path& folder);

/// The line that tells how to go on with a run that ended before its target.
/// @return nothing when there is nothing to go on with.
[[nodiscard]] std::optional<std::string> resume_hint(const TrainSettings& settings,
                                                     const std::filesystem::path& folder,
                                                     Ending ending,
                                                     double air_time_s);

}  // namespace wccl::app
