#pragma once

#include <filesystem>
#include <string_view>

#include "wccl/result.h"

namespace wccl::app {

/// Makes the folder and its parents where they are missing.
/// @param what  What the user knows it as: "folder", "run folder".
/// @return kIo saying why, when no folder stands there afterwards.
[[nodiscard]] Status make_folder(const std::filesystem::path& path,
                                 std::string_view what = "folder");

}  // namespace wccl::app
