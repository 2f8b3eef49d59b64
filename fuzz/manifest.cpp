// transfer::Manifest: the list of files that a peer offers.
#include "transfer/manifest.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "fuzz/target.h"
#include "transfer/safe_name.h"

namespace wccl::fuzz {
namespace {

using namespace transfer;

/// Whoever writes to such paths stays below the receiver's folder, and never in its own way.
void check_paths(const Manifest& manifest) {
  std::set<std::string> paths;
  for (const Entry& entry : manifest.entries()) {
    const std::filesystem::path path(entry.local_path);
    require(path.is_relative() && !path.empty());
    for (const auto& name : path) {
      require(!is_partial_folder(name.string()));
      require(name == safe_base_name(name.string()));
      require(name != "." && name != ".." && !name.empty());
    }
    require(paths.insert(entry.local_path).second);
  }
  for (const std::string& path : paths) {
    for (auto slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      require(!paths.contains(path.substr(0, slash)));
    }
  }
}

void check_pieces(const Manifest& manifest) {
  std::uint64_t n_bytes = 0;
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < manifest.entries().size(); ++i) {
    const Entry& entry = manifest.entries()[i];
    const PieceRange pieces = manifest.pieces_of(i);
    require(pieces.begin == next && pieces.begin <= pieces.end);
    require(manifest.bytes_in(pieces) == entry.n_bytes);
    if (pieces.begin < pieces.end) {
      require(manifest.entry_of(pieces.begin) == i && manifest.entry_of(pieces.end - 1) == i);
    }
    next = pieces.end;
    n_bytes += entry.n_bytes;
  }
  require(next == manifest.n_pieces() && n_bytes == manifest.n_bytes());
}

void check_run(const Manifest& manifest, std::uint32_t first, std::uint64_t n_bytes) {
  const auto run = manifest.run_of(first, static_cast<std::size_t>(n_bytes));
  if (run) {
    require(run->begin == first && run->end <= manifest.n_pieces());
    require(manifest.bytes_in(*run) == n_bytes);
  }
}

Entry file(std::string path, std::uint64_t n_bytes) {
  Entry entry;
  entry.path = std::move(path);
  entry.n_bytes = n_bytes;
  return entry;
}

}  // namespace

void check(std::span<const std::byte> input) {
  const auto manifest = Manifest::parse(input);
  if (!manifest) {
    require(!manifest.error().message.empty());
    return;
  }
  require(std::ranges::equal(manifest->bytes(), input));
  check_paths(*manifest);
  check_pieces(*manifest);
  check_run(*manifest, 0, kPieceBytes);
  check_run(*manifest, 0, manifest->n_bytes());
  check_run(*manifest, manifest->n_pieces() / 2, 3 * kPieceBytes);
  require(!describe(*manifest).empty());
  const auto again = Manifest::of(manifest->entries());
  require(again.has_value() && again->id() == manifest->id());
}

std::vector<Bytes> seeds() {
  Entry folder;
  folder.kind = EntryKind::kFolder;
  folder.path = "empty/folder";
  Entry program = file("bin/run", 3 * kPieceBytes);
  program.kind = EntryKind::kProgram;
  const std::vector<std::vector<Entry>> lists{
      {},
      {file("a.txt", 0)},
      {file("photo.jpg", 10'000), file("photos/1.jpg", 4096), file("photos/2.jpg", 4097)},
      {folder, program, file("z", 1)},
      {file("one/two/three/four", std::uint64_t{1} << 40U), file("one/two/five", 1)}};
  std::vector<Bytes> seeds;
  for (const auto& list : lists) {
    seeds.push_back(Manifest::of(list)->bytes());
  }
  return seeds;
}

}  // namespace wccl::fuzz
