// transfer::PartialStore: the journal and the files that an interrupted receiver left.
#include "transfer/partial_store.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "phy/crc.h"

namespace wccl::fuzz {
namespace {

using namespace transfer;

const Manifest& manifest() {
  static const Manifest kManifest = *Manifest::of({{EntryKind::kFile, "a", 3 * kPieceBytes + 1},
                                                   {EntryKind::kFolder, "b"},
                                                   {EntryKind::kFile, "c", 0},
                                                   {EntryKind::kProgram, "d", 5 * kPieceBytes}});
  return kManifest;
}

/// How large each entry's file is, in half pieces; nothing: it is not there.
using Sizes = std::array<std::optional<std::size_t>, 4>;

Sizes put_files(const std::filesystem::path& folder, Choices& choices) {
  Sizes sizes;
  for (std::size_t entry = 0; entry < sizes.size(); ++entry) {
    const std::size_t size = choices.below(16);
    if (size < 12) {
      sizes[entry] = size * kPieceBytes / 2;
      put_file(folder / std::to_string(entry), Bytes(*sizes[entry]));
    }
  }
  return sizes;
}

Bytes read_journal(Choices& choices) {
  const bool has_crc = choices.coin();
  const auto body = choices.rest();
  ByteWriter writer;
  writer.put_bytes(body);
  if (has_crc) {
    writer.put(phy::crc32(body));
  }
  return writer.take();
}

/// What is held is there.
void check_held(const PieceSet& held, const Sizes& sizes) {
  require(held.ranges().empty() || held.ranges().back().end <= manifest().n_pieces());
  for (std::size_t entry = 0; entry < sizes.size(); ++entry) {
    const PieceRange pieces = manifest().pieces_of(entry);
    for (std::uint32_t piece = pieces.begin; piece < pieces.end; ++piece) {
      const std::uint64_t end =
          std::min<std::uint64_t>(std::uint64_t{piece - pieces.begin + 1} * kPieceBytes,
                                  manifest().entries()[entry].n_bytes);
      require(!held.covers({piece, piece + 1}) || sizes[entry].value_or(0) >= end);
    }
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  const auto root = empty_scratch() / "in";
  const auto destination = Destination::open(root, false);
  require(destination.has_value());
  require(PartialStore::open(*destination, manifest())->held().empty());
  const auto folder = std::filesystem::directory_iterator(root / kPartialFolder)->path();
  Choices choices(input);
  const Sizes sizes = put_files(folder, choices);
  put_file(folder / "journal", read_journal(choices));

  PieceSet held;
  {
    auto store = PartialStore::open(*destination, manifest());
    require(store.has_value());
    held = store->held();
    check_held(held, sizes);
    require(store->save().has_value());
  }
  const auto again = PartialStore::open(*destination, manifest());
  require(again.has_value() && std::ranges::equal(again->held().ranges(), held.ranges()));
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const int has_crc : {1, 0}) {
    ByteWriter writer;
    put_decisions(writer, {7, 15, 0, 10, has_crc, 1});
    for (const std::uint32_t bound : {0U, 2U, 3U, 6U, 8U, 9U}) {
      writer.put(bound);
    }
    seeds.push_back(writer.take());
  }
  return seeds;
}

}  // namespace wccl::fuzz
