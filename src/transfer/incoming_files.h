#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "transfer/destination.h"
#include "transfer/manifest.h"
#include "transfer/partial_store.h"
#include "transfer/sliced_hash.h"

namespace wccl::transfer {

/// The files of one transfer on their way into a folder: looks for what is there already, keeps
/// what comes, verifies each file and moves it into its place.
class IncomingFiles {
 public:
  /// @param destination  Borrowed.
  IncomingFiles(const Destination& destination, Manifest manifest);
  /// What has come is kept.
  ~IncomingFiles();
  IncomingFiles(const IncomingFiles&) = delete;
  IncomingFiles& operator=(const IncomingFiles&) = delete;

  [[nodiscard]] const Manifest& manifest() const { return manifest_; }

  /// Does a slice of the work that waits: hashing, moving.
  /// @return kIo when a file is in the way, the disk is full or cannot be written; kCorrupt when a
  /// file came wrong again and again.
  Status work(Instant now);
  [[nodiscard]] bool has_work() const;
  /// What is there is known, so that content can be taken.
  [[nodiscard]] bool takes_content() const { return store_.has_value(); }
  /// @param bytes  The content of all of `pieces`.
  /// @return how many bytes of it are new.
  Result<std::uint64_t> write(PieceRange pieces, std::span<const std::byte> bytes);
  /// Makes sure that what has come outlives this program.
  Status save();

  [[nodiscard]] const PieceSet& held() const { return held_; }
  [[nodiscard]] std::uint64_t bytes_held() const { return bytes_held_; }
  /// Grows when what was held turned out to be wrong.
  [[nodiscard]] std::uint32_t losses() const { return losses_; }
  /// All files are in place.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Files that were in place before anything came.
  [[nodiscard]] std::size_t n_there_before() const { return n_there_before_; }

 private:
  enum class State : std::uint8_t { kUnknown, kMissing, kInPlace };

  Status look_at_next();
  Status note_looked(State state);
  Status open_store();
  Status check_room() const;
  void hold(PieceRange pieces);
  Status verify_next();
  /// @param hash  Nothing when it cannot be read.
  Status judge(std::size_t entry, const std::optional<Sha256>& hash);
  Status finish();

  const Destination& destination_;
  Manifest manifest_;
  std::vector<State> states_;    ///< [entries]
  std::vector<int> wrong_;       ///< [entries] times that it came wrong.
  std::size_t n_looked_at_ = 0;  ///< Entries, in order.
  std::optional<PartialStore> store_;
  std::optional<SlicedHash> hash_;  ///< Of the entry that is looked at or verified.
  std::vector<std::size_t> whole_;  ///< Entries that wait to be verified.
  Instant saved_at_{};

  PieceSet held_;
  std::uint64_t bytes_held_ = 0;
  std::uint32_t losses_ = 0;
  std::size_t n_in_place_ = 0;
  std::size_t n_there_before_ = 0;
  bool complete_ = false;
};

}  // namespace wccl::transfer
