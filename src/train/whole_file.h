#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "wccl/result.h"

namespace wccl::train {

/// Puts a file in place as a whole: written beside it, flushed to the disk, renamed. A reader, or a
/// power cut, meets the old file or the new one and never half of one.
[[nodiscard]] Status write_whole_file(const std::filesystem::path& path,
                                      std::span<const std::byte> bytes);

/// Makes the renames in a folder outlast a power cut. Systems that cannot are taken as they are.
void flush_folder(const std::filesystem::path& folder);

}  // namespace wccl::train
