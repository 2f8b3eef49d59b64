#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "link/range_set.h"
#include "transfer/hash.h"

namespace wccl::transfer {

/// Content travels, is kept and is asked for in pieces of so many bytes; only the last one of a
/// file is shorter. They are numbered through all files of a transfer.
inline constexpr std::size_t kPieceBytes = 4096;
using PieceRange = link::Range;
using PieceSet = link::RangeSet;

/// The first half of the manifest's hash: equal content under equal names is the same transfer,
/// whoever starts it again.
using TransferId = std::array<std::byte, 16>;

/// Where an interrupted transfer waits, in the receiver's folder.
inline constexpr std::string_view kPartialFolder = ".wccl-partial";
/// Whether it is called so on some disk. Nothing of a transfer may be, at whatever depth: what a
/// sender puts there a later transfer would take for what it received itself.
[[nodiscard]] bool is_partial_folder(std::string_view name);

enum class EntryKind : std::uint8_t {
  kFolder = 0,  ///< An empty one: others follow from what is in them.
  kFile = 1,
  kProgram = 2,  ///< A file that may be executed.
};

struct Entry {
  EntryKind kind = EntryKind::kFile;
  std::string path;  ///< As sent, names joined by '/'.
  std::uint64_t n_bytes = 0;
  Sha256 sha256{};
  /// The path with names that are safe here (safe_base_name); set by Manifest.
  std::string local_path{};
};

/// What a transfer consists of (docs/transfer.md). Whoever holds one can rely on it: paths stay
/// below the receiver's folder, no two are in each other's way, and the pieces add up.
class Manifest {
 public:
  /// Part of an entry.
  struct Segment {
    std::size_t entry = 0;
    std::uint64_t offset = 0;
    std::size_t n_bytes = 0;
  };

  /// @return kInvalidArgument when they cannot be one transfer.
  [[nodiscard]] static Result<Manifest> of(const std::vector<Entry>& entries);
  /// @param bytes  May be hostile. @return kCorrupt, or kUnsupported for another version.
  [[nodiscard]] static Result<Manifest> parse(std::span<const std::byte> bytes);

  /// As they travel.
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] const TransferId& id() const { return id_; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Of all contents.
  [[nodiscard]] std::uint64_t n_bytes() const { return n_bytes_; }
  [[nodiscard]] std::size_t n_files() const;

  [[nodiscard]] std::uint32_t n_pieces() const { return first_pieces_.back(); }
  [[nodiscard]] PieceRange pieces_of(std::size_t entry) const {
    return {first_pieces_[entry], first_pieces_[entry + 1]};
  }
  /// The entry that a piece below n_pieces() belongs to.
  [[nodiscard]] std::size_t entry_of(std::uint32_t piece) const;
  /// The parts of entries that make up a run of pieces below n_pieces(), in order.
  [[nodiscard]] std::vector<Segment> segments(PieceRange pieces) const;
  /// The run from `first_piece` on that `n_bytes` fill exactly, as content arrives.
  [[nodiscard]] std::optional<PieceRange> run_of(std::uint32_t first_piece,
                                                 std::size_t n_bytes) const;
  [[nodiscard]] std::uint64_t bytes_in(PieceRange pieces) const;
  [[nodiscard]] std::uint64_t bytes_in(const PieceSet& pieces) const;

 private:
  Manifest() = default;
  Status add(Entry entry);

  Bytes bytes_;
  TransferId id_{};
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> first_pieces_{0};  ///< [entries + 1]
  std::uint64_t n_bytes_ = 0;
};

/// "12 files (3.40 MB)" for a person.
[[nodiscard]] std::string describe(const Manifest& manifest);
/// "2 names were changed: back\slash -> back_slash, ..." where names as sent cannot be used here;
/// else empty.
[[nodiscard]] std::string describe_renamed(const Manifest& manifest);
/// "3.40 MB", three digits.
[[nodiscard]] std::string bytes_text(std::uint64_t n_bytes);

}  // namespace wccl::transfer
