#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "wccl/result.h"

namespace wccl::app {

/// Puts a file that came by light into a folder, whole or not at all. It never replaces another
/// content unless told.
/// @param name  Safe already.
/// @return kIo when it cannot be written or another file of this name is there.
[[nodiscard]] Status store_received_file(const std::filesystem::path& folder,
                                         const std::string& name,
                                         std::span<const std::byte> content,
                                         bool force);
/// Makes the folder where needed, so that a place that cannot be written is known before the work.
[[nodiscard]] Status prepare_receive_folder(const std::filesystem::path& folder);

}  // namespace wccl::app
