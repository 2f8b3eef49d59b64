#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wccl/result.h"

namespace wccl::transfer {

/// A file on its way through one-way air: SHA-256 of all that follows, version, length of the name,
/// name, content (docs/file_format.md).
[[nodiscard]] std::vector<std::byte> make_file_object(std::string_view name,
                                                      std::span<const std::byte> content);

/// 16 bits of an object's hash: they tell its frames from another file's.
[[nodiscard]] std::uint16_t epoch_of(std::span<const std::byte> object);

struct FileObject {
  std::string name;  ///< As sent: not yet safe.
  std::span<const std::byte> content;
};
/// @return kCorrupt unless the hash holds; the content borrows from `object`.
[[nodiscard]] Result<FileObject> parse_file_object(std::span<const std::byte> object);

/// What an object adds to a file of this name.
[[nodiscard]] std::size_t file_object_overhead(std::string_view name);

}  // namespace wccl::transfer
