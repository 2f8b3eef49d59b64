#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "wccl/result.h"

namespace wccl::app {

/// A new file, or one in another's place. @return kIo saying why; nothing is left of it then.
Status write_file(const std::filesystem::path& path, std::span<const std::byte> content);
/// The same, beside its place (PATH.part) first: a file there is always a whole one.
Status write_whole_file(const std::filesystem::path& path, std::span<const std::byte> content);

}  // namespace wccl::app
