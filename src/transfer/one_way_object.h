#pragma once

#include <cstddef>
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

/// Whether it is one of several files, which parse_file_object() does not read.
[[nodiscard]] bool holds_manifest(std::span<const std::byte> object);

}  // namespace wccl::transfer
