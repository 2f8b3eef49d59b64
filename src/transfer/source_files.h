#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "transfer/file_handle.h"
#include "transfer/manifest.h"

namespace wccl::transfer {

/// Files and folders on the sender's disk, as they were when they were looked at. Twin of
/// Destination.
class SourceFiles {
 public:
  /// Looks at all of them, down to what is in folders, and reads every file once for its hash.
  /// Symbolic links inside folders are left out.
  /// @param is_cancelled  Asked now and then; may be empty.
  /// @return kNotFound or kIo naming what cannot be read; kInvalidArgument when there is nothing
  /// to send, or two of one name; kCancelled.
  [[nodiscard]] static Result<SourceFiles> open(std::span<const std::filesystem::path> paths,
                                                const std::function<bool()>& is_cancelled = {});

  [[nodiscard]] const Manifest& manifest() const { return manifest_; }
  /// What is in the folders and does not go with them, and why, for a person.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  /// @param pieces  Below n_pieces().
  /// @return their content; kIo when a file cannot be read or is no longer what it was.
  [[nodiscard]] Result<Bytes> read(PieceRange pieces);

 private:
  /// A changed file has another one of these.
  struct Stamp {
    std::uint64_t n_bytes = 0;
    std::int64_t modified_ns = 0;
    std::uint64_t inode = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  struct Found {
    std::filesystem::path path;
    Entry entry;
    Stamp stamp;
  };
  class Scan;

  explicit SourceFiles(Manifest manifest) : manifest_(std::move(manifest)) {}
  [[nodiscard]] static std::optional<Stamp> stamp_of(const FileHandle& file);
  Status read_segment(const Manifest::Segment& segment, std::span<std::byte> bytes);

  Manifest manifest_;
  std::vector<Found> found_;  ///< [entries]
  std::vector<std::string> left_out_;
  FileHandle open_file_;  ///< The one that was read last.
  std::size_t open_entry_ = 0;
};

}  // namespace wccl::transfer
