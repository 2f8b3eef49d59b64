#include "transfer/manifest.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/printable.h"
#include "transfer/safe_name.h"

namespace wccl::transfer {
namespace {

constexpr std::uint8_t kVersion = 1;
// More than anybody sends by light; what a hostile manifest can make us hold.
constexpr std::size_t kMostManifestBytes = std::size_t{32} << 20U;
constexpr std::size_t kMostPathBytes = 4096;
constexpr std::size_t kMostDepth = 64;

Bytes encode(const std::vector<Entry>& entries) {
  ByteWriter writer;
  writer.put(kVersion);
  writer.put(static_cast<std::uint32_t>(entries.size()));
  for (const Entry& entry : entries) {
    writer.put(static_cast<std::uint8_t>(entry.kind));
    writer.put(static_cast<std::uint16_t>(entry.path.size()));
    writer.put_bytes(std::as_bytes(std::span(entry.path)));
    if (entry.kind != EntryKind::kFolder) {
      writer.put(entry.n_bytes);
      writer.put_bytes(entry.sha256);
    }
  }
  return writer.take();
}

std::optional<Entry> read_entry(ByteReader& reader) {
  const auto kind = reader.get<std::uint8_t>();
  const auto n_path = reader.get<std::uint16_t>();
  const auto path = n_path ? reader.get_bytes(*n_path) : std::nullopt;
  if (!path || *kind > static_cast<std::uint8_t>(EntryKind::kProgram)) {
    return std::nullopt;
  }
  Entry entry;
  entry.kind = static_cast<EntryKind>(*kind);
  entry.path.assign(reinterpret_cast<const char*>(path->data()), path->size());
  if (entry.kind == EntryKind::kFolder) {
    return entry;
  }
  const auto n_bytes = reader.get<std::uint64_t>();
  const auto hash = reader.get_bytes(entry.sha256.size());
  if (!n_bytes || !hash) {
    return std::nullopt;
  }
  entry.n_bytes = *n_bytes;
  std::ranges::copy(*hash, entry.sha256.begin());
  return entry;
}

/// For messages: as long as a name may be.
std::string shown(std::string_view path) {
  return escaped(path, kMostNameBytes);
}

tl::unexpected<Error> no_path(std::string_view path, std::string_view why) {
  return fail(ErrorCode::kCorrupt, fmt::format("{} cannot be sent: {}", shown(path), why));
}

/// @return the path as it may be used here; an error for one that an honest sender never makes.
Result<std::string> local_path(const std::string_view whole) {
  std::string_view path = whole;
  if (path.size() > kMostPathBytes) {
    return no_path(whole, fmt::format("its path is longer than {} bytes", kMostPathBytes));
  }
  std::string local;
  std::size_t depth = 0;
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    if (name.empty() || name == "." || name == "..") {
      return no_path(whole, "its path is not below a folder");
    }
    if (++depth > kMostDepth) {
      return no_path(whole, fmt::format("it is more than {} folders deep", kMostDepth));
    }
    const std::string safe = safe_base_name(name);
    if (is_partial_folder(safe)) {
      return no_path(whole, fmt::format("receivers keep in {} what is not whole", kPartialFolder));
    }
    local += (local.empty() ? "" : "/") + safe;
    if (slash == std::string_view::npos) {
      return local;
    }
    path.remove_prefix(slash + 1);
  }
}

/// Paths that are taken, to find two of a name, and files where others have a folder.
class PathClaims {
 public:
  struct Conflict {
    std::size_t with = 0;         ///< The number of the earlier path.
    std::string_view local_path;  ///< That both need.
  };
  /// @return what an earlier path is in the way of.
  std::optional<Conflict> claim(const std::string& local_path) {
    const std::size_t number = paths_.size();
    const std::string_view path = paths_.emplace_back(local_path);
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1)) {
      const std::string_view folder = path.substr(0, slash);
      if (const auto file = claimed_.find(folder); file != claimed_.end()) {
        return Conflict{file->second, folder};
      }
      folders_.emplace(folder, number);
    }
    if (const auto folder = folders_.find(path); folder != folders_.end()) {
      return Conflict{folder->second, path};
    }
    const auto [same, is_new] = claimed_.emplace(path, number);
    return is_new ? std::nullopt : std::optional(Conflict{same->second, path});
  }

 private:
  /// The maps look into these: to copy each folder of a long path takes 30 times its length.
  std::deque<std::string> paths_;
  std::map<std::string_view, std::size_t> claimed_;
  std::map<std::string_view, std::size_t> folders_;  ///< With the first that is in each.
};

TransferId id_of(std::span<const std::byte> bytes) {
  TransferId id{};
  std::copy_n(sha256(bytes).begin(), id.size(), id.begin());
  return id;
}

}  // namespace

bool is_partial_folder(std::string_view name) {
  return std::ranges::equal(name, kPartialFolder, [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

Result<Manifest> Manifest::of(const std::vector<Entry>& entries) {
  auto manifest = parse(encode(entries));
  if (!manifest) {
    return fail(ErrorCode::kInvalidArgument, manifest.error().message);
  }
  return manifest;
}

Result<Manifest> Manifest::parse(std::span<const std::byte> bytes) {
  if (bytes.size() > kMostManifestBytes) {
    return fail(ErrorCode::kCorrupt, "too many files for one transfer: pack them into an archive");
  }
  ByteReader reader(bytes);
  const auto version = reader.get<std::uint8_t>();
  if (version && *version != kVersion) {
    return fail(ErrorCode::kUnsupported, "the sender has another version of wccl");
  }
  const auto n_entries = reader.get<std::uint32_t>();
  if (!n_entries) {
    return fail(ErrorCode::kCorrupt, "the list of files is cut off");
  }
  Manifest manifest;
  PathClaims claims;
  for (std::uint32_t i = 0; i < *n_entries; ++i) {
    auto entry = read_entry(reader);
    if (!entry) {
      return fail(ErrorCode::kCorrupt, "the list of files is cut off");
    }
    auto local = local_path(entry->path);
    if (!local) {
      return tl::make_unexpected(local.error());
    }
    if (const auto conflict = claims.claim(*local)) {
      return fail(ErrorCode::kCorrupt,
                  fmt::format("{} and {} would both be {} where they arrive: rename one",
                              shown(manifest.entries_[conflict->with].path), shown(entry->path),
                              shown(conflict->local_path)));
    }
    entry->local_path = *std::move(local);
    if (auto status = manifest.add(*std::move(entry)); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  if (!reader.rest().empty()) {
    return fail(ErrorCode::kCorrupt, "the list of files has something after its end");
  }
  manifest.bytes_.assign(bytes.begin(), bytes.end());
  manifest.id_ = id_of(bytes);
  return manifest;
}

Status Manifest::add(Entry entry) {
  constexpr std::uint64_t kMostPieces = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t n_pieces =
      entry.n_bytes / kPieceBytes + (entry.n_bytes % kPieceBytes != 0 ? 1 : 0);
  if (n_pieces > kMostPieces - first_pieces_.back()) {
    return fail(ErrorCode::kCorrupt, "more than 16 TiB is too much for one transfer");
  }
  first_pieces_.push_back(first_pieces_.back() + static_cast<std::uint32_t>(n_pieces));
  n_bytes_ += entry.n_bytes;
  entries_.push_back(std::move(entry));
  return {};
}

std::size_t Manifest::n_files() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      entries_, [](const Entry& entry) { return entry.kind != EntryKind::kFolder; }));
}

std::size_t Manifest::entry_of(std::uint32_t piece) const {
  // Empty entries share their first piece with the next: the last one that starts here has it.
  const auto after = std::ranges::upper_bound(first_pieces_, piece);
  return static_cast<std::size_t>(after - first_pieces_.begin()) - 1;
}

std::vector<Manifest::Segment> Manifest::segments(PieceRange pieces) const {
  std::vector<Segment> segments;
  while (pieces.begin < pieces.end) {
    const std::size_t entry = entry_of(pieces.begin);
    const PieceRange all = pieces_of(entry);
    const std::uint32_t end = std::min(pieces.end, all.end);
    const std::uint64_t offset = std::uint64_t{pieces.begin - all.begin} * kPieceBytes;
    const std::uint64_t offset_end =
        std::min(std::uint64_t{end - all.begin} * kPieceBytes, entries_[entry].n_bytes);
    segments.push_back({entry, offset, static_cast<std::size_t>(offset_end - offset)});
    pieces.begin = end;
  }
  return segments;
}

std::optional<PieceRange> Manifest::run_of(std::uint32_t first_piece, std::size_t n_bytes) const {
  std::uint32_t end = first_piece;
  while (n_bytes > 0) {
    if (end >= n_pieces()) {
      return std::nullopt;
    }
    const std::size_t entry = entry_of(end);
    const PieceRange all = pieces_of(entry);
    const std::uint64_t rest =
        entries_[entry].n_bytes - std::uint64_t{end - all.begin} * kPieceBytes;
    if (n_bytes >= rest) {
      n_bytes -= static_cast<std::size_t>(rest);
      end = all.end;
      continue;
    }
    if (n_bytes % kPieceBytes != 0) {
      return std::nullopt;
    }
    end += static_cast<std::uint32_t>(n_bytes / kPieceBytes);
    n_bytes = 0;
  }
  return end == first_piece ? std::nullopt : std::optional(PieceRange{first_piece, end});
}

std::uint64_t Manifest::bytes_in(PieceRange pieces) const {
  std::uint64_t n_bytes = 0;
  for (const Segment& segment : segments(pieces)) {
    n_bytes += segment.n_bytes;
  }
  return n_bytes;
}

std::uint64_t Manifest::bytes_in(const PieceSet& pieces) const {
  std::uint64_t n_bytes = 0;
  for (const PieceRange& range : pieces.ranges()) {
    n_bytes += bytes_in(range);
  }
  return n_bytes;
}

std::string describe_renamed(const Manifest& manifest) {
  const auto is_renamed = [](const Entry& entry) { return entry.path != entry.local_path; };
  const auto& entries = manifest.entries();
  const auto n = std::ranges::count_if(entries, is_renamed);
  if (n == 0) {
    return "";
  }
  const Entry& first = *std::ranges::find_if(entries, is_renamed);
  return fmt::format("{} changed: {} -> {}{}",
                     n == 1 ? "1 name was" : fmt::format("{} names were", n), shown(first.path),
                     shown(first.local_path), n == 1 ? "" : ", ...");
}

std::string bytes_text(std::uint64_t n_bytes) {
  constexpr std::array kUnits{"kB", "MB", "GB", "TB"};
  if (n_bytes < 1000) {
    return fmt::format("{} bytes", n_bytes);
  }
  double value = static_cast<double>(n_bytes) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) {
    value /= 1000;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

std::string describe(const Manifest& manifest) {
  const auto& entries = manifest.entries();
  const std::string size = bytes_text(manifest.n_bytes());
  if (entries.size() == 1) {
    const bool is_folder = entries.front().kind == EntryKind::kFolder;
    return fmt::format("{} ({})", entries.front().local_path, is_folder ? "empty folder" : size);
  }
  const std::size_t n_files = manifest.n_files();
  return fmt::format("{} file{} ({})", n_files, n_files == 1 ? "" : "s", size);
}

}  // namespace wccl::transfer
