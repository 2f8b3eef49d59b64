#include "transfer/one_way_object.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "link/file_stream.h"
#include "transfer/file_object.h"
#include "transfer/hash.h"
#include "transfer/safe_name.h"

namespace wccl::transfer {
namespace {

constexpr std::uint8_t kVersion = 2;  // 1 is file_object's.
constexpr std::size_t kHashBytes = std::tuple_size_v<Sha256>;
constexpr std::uint32_t kReadPieces = 256;

/// What the object's hash is of.
Bytes head_of(std::span<const std::byte> manifest) {
  ByteWriter writer;
  writer.put(kVersion);
  writer.put(static_cast<std::uint32_t>(manifest.size()));
  writer.put_bytes(manifest);
  return writer.take();
}

/// It came as it was sent, so it would come the same again.
tl::unexpected<Error> not_taken(std::string_view why) {
  return fail(ErrorCode::kUnsupported, fmt::format("what is sent cannot be taken: {}", why));
}

/// What is no path, as sent: the manifest tells what had to be changed.
std::string base_name(const std::string& name) {
  const std::string base = name.substr(name.find_last_of('/') + 1);
  const bool is_name =
      !base.empty() && base != "." && base != ".." && base.size() <= kMostNameBytes;
  return is_name ? base : safe_base_name(base);
}

/// A single file of `wccl encode`.
Result<OneWayObject> parse_single(std::span<const std::byte> object) {
  const auto file = parse_file_object(object);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  Entry entry;
  entry.path = base_name(file->name);
  entry.n_bytes = file->content.size();
  entry.sha256 = sha256(file->content);
  auto manifest = Manifest::of({entry});
  if (!manifest) {
    return not_taken(manifest.error().message);
  }
  return OneWayObject{*std::move(manifest), file->content};
}

}  // namespace

Result<Bytes> make_one_way_object(SourceFiles& files) {
  const Manifest& manifest = files.manifest();
  const Bytes head = head_of(manifest.bytes());
  const std::uint64_t n_bytes = kHashBytes + head.size() + manifest.n_bytes();
  if (n_bytes > link::kMostObjectBytes) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} are too much for one-way light, which carries at most 1 GiB: send "
                            "them in parts, or both ways",
                            describe(manifest)));
  }
  const Sha256 hash = sha256(head);
  Bytes object;
  object.reserve(static_cast<std::size_t>(n_bytes));
  object.insert(object.end(), hash.begin(), hash.end());
  object.insert(object.end(), head.begin(), head.end());
  for (std::uint32_t begin = 0; begin < manifest.n_pieces(); begin += kReadPieces) {
    const auto content =
        files.read({begin, begin + std::min(kReadPieces, manifest.n_pieces() - begin)});
    if (!content) {
      return content;
    }
    object.insert(object.end(), content->begin(), content->end());
  }
  return object;
}

bool holds_manifest(std::span<const std::byte> object) {
  return object.size() > kHashBytes && object[kHashBytes] == std::byte{kVersion};
}

std::optional<std::size_t> bytes_before_content(std::span<const std::byte> start) {
  if (start.size() < kObjectStartBytes || !holds_manifest(start)) {
    return std::nullopt;
  }
  return kObjectStartBytes + *ByteReader(start.subspan(kHashBytes + 1)).get<std::uint32_t>();
}

Result<Manifest> parse_object_head(std::span<const std::byte> head) {
  if (!std::ranges::equal(head.first(kHashBytes), sha256(head.subspan(kHashBytes)))) {
    return fail(ErrorCode::kCorrupt, "the hash does not hold");
  }
  auto manifest = Manifest::parse(head.subspan(kObjectStartBytes));
  if (!manifest) {
    return not_taken(manifest.error().message);
  }
  return manifest;
}

Result<OneWayObject> parse_one_way_object(std::span<const std::byte> object) {
  if (!holds_manifest(object)) {
    return parse_single(object);
  }
  const auto n_head = bytes_before_content(object);
  if (!n_head || *n_head > object.size()) {
    return fail(ErrorCode::kCorrupt, "it is cut off");
  }
  auto manifest = parse_object_head(object.first(*n_head));
  if (!manifest) {
    return tl::make_unexpected(manifest.error());
  }
  const auto content = object.subspan(*n_head);
  if (manifest->n_bytes() != content.size()) {
    return not_taken("its sizes do not add up");
  }
  return OneWayObject{*std::move(manifest), content};
}

}  // namespace wccl::transfer
