#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "transfer/destination.h"
#include "transfer/manifest.h"

namespace wccl::transfer {

/// The pieces of a transfer that is not whole yet: .wccl-partial/ID in the receiver's folder, with
/// a file for each file and a journal of the pieces that are safely on disk (docs/transfer.md).
/// A receiver that was killed finds there what it had.
class PartialStore {
 public:
  /// @param destination, manifest  Borrowed; outlive the store.
  /// @return kIo when it cannot be written, or another program receives the same transfer here.
  [[nodiscard]] static Result<PartialStore> open(const Destination& destination,
                                                 const Manifest& manifest);

  /// The pieces that are here.
  [[nodiscard]] const PieceSet& held() const { return held_; }
  Status write(std::size_t entry, std::uint64_t offset, std::span<const std::byte> bytes);
  /// These have been written, all of their bytes.
  void note(PieceRange pieces) { held_.add(pieces); }
  /// What the entry's pieces hold turned out to be wrong.
  void forget(std::size_t entry);
  /// Makes what has been written safe from now on, whatever happens to this program.
  Status save();
  [[nodiscard]] std::uint64_t unsaved_bytes() const { return unsaved_bytes_; }

  /// An entry whose pieces are all here; an empty one is made.
  [[nodiscard]] Result<FileHandle> open_file_of(std::size_t entry) const;
  /// Moves the entry's file into its place in the destination.
  Status move_out(std::size_t entry);
  /// All files are in their places: nothing is kept.
  void remove();

 private:
  PartialStore(const Destination& destination, const Manifest& manifest)
      : destination_(&destination), manifest_(&manifest) {}
  Status lock();
  Status switch_to(std::size_t entry);
  void read_journal();
  /// What the journal tells of is only as good as the files.
  Status check_files();
  [[nodiscard]] std::string shown() const;
  /// Of something in this transfer's folder, below the destination.
  [[nodiscard]] std::string path_of(const std::string& name) const;

  const Destination* destination_;
  const Manifest* manifest_;
  FileHandle parent_;  ///< kPartialFolder
  FileHandle folder_;  ///< This transfer's
  PieceSet held_;
  FileHandle open_file_;  ///< The one that was written last.
  std::size_t open_entry_ = 0;
  std::uint64_t unsaved_bytes_ = 0;
};

}  // namespace wccl::transfer
