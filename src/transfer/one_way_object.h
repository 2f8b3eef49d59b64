#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "transfer/manifest.h"
#include "transfer/source_files.h"

namespace wccl::transfer {

/// Files and folders on their way through one-way air: SHA-256 of version, length and manifest;
/// these; the contents, one after the other, which the manifest's hashes vouch for
/// (docs/file_format.md). Equal files are the same object, whoever sends them.
/// @return kInvalidArgument for more than link::kMostObjectBytes; the files' errors.
[[nodiscard]] Result<Bytes> make_one_way_object(SourceFiles& files);

struct OneWayObject {
  Manifest manifest;
  std::span<const std::byte> content;  ///< [manifest.n_bytes()], not verified yet; borrowed.
};
/// Reads also what `wccl encode` makes of a single file.
/// @param object  May be hostile. @return kCorrupt when it came wrong; kUnsupported for what nobody
/// should have sent, or another version of wccl.
[[nodiscard]] Result<OneWayObject> parse_one_way_object(std::span<const std::byte> object);

// What of it comes before the content may be known long before it:
/// So many first bytes tell how many there are before the content.
inline constexpr std::size_t kObjectStartBytes = 32 + 1 + 4;
/// @param start  [kObjectStartBytes]; may be hostile.
/// @return nothing for a single file of `wccl encode`.
[[nodiscard]] std::optional<std::size_t> bytes_before_content(std::span<const std::byte> start);
/// @param head  [bytes_before_content()]. @return as parse_one_way_object().
[[nodiscard]] Result<Manifest> parse_object_head(std::span<const std::byte> head);

/// Whether it is one of several files, which parse_file_object() does not read.
[[nodiscard]] bool holds_manifest(std::span<const std::byte> object);

}  // namespace wccl::transfer
