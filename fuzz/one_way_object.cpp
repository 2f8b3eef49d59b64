// transfer: objects that came by one-way light, of `wccl send --one-way` and of `wccl encode`.
#include "transfer/one_way_object.h"

#include <algorithm>

#include "base/bytes.h"
#include "fuzz/target.h"
#include "transfer/file_object.h"
#include "transfer/hash.h"
#include "transfer/safe_name.h"

namespace wccl::fuzz {
namespace {

using namespace transfer;

constexpr std::size_t kHashBytes = 32;

void check_object(std::span<const std::byte> object) {
  const auto parsed = parse_one_way_object(object);
  if (!parsed) {
    require(!parsed.error().message.empty());
    return;
  }
  require(parsed->content.size() == parsed->manifest.n_bytes());
  require(parsed->content.data() + parsed->content.size() == object.data() + object.size());
  const auto file = parse_file_object(object);
  if (file) {
    require(parsed->manifest.entries().size() == 1);
    require(std::ranges::equal(file->content, parsed->content));
    // The name fits unless nobody may have sent it.
    require(file->name.size() > kMostNameBytes ||
            std::ranges::equal(make_file_object(file->name, file->content), object));
  }
}

/// As the receiver looks ahead: at what comes before the content.
void check_head(std::span<const std::byte> object) {
  const auto start = object.first(std::min(object.size(), kObjectStartBytes));
  const auto n_head = bytes_before_content(start);
  if (n_head && *n_head <= object.size()) {
    static_cast<void>(parse_object_head(object.first(*n_head)));
  }
}

/// The input behind the hash that it ought to have: what a hostile sender sends.
Bytes with_hash(std::span<const std::byte> input) {
  ByteWriter writer;
  writer.put_bytes(Sha256{});
  writer.put_bytes(input);
  Bytes object = writer.take();
  const auto n_head = bytes_before_content(object);
  const std::size_t n_hashed = n_head && *n_head <= object.size() ? *n_head : object.size();
  const Sha256 hash = sha256(std::span(object).subspan(kHashBytes, n_hashed - kHashBytes));
  std::ranges::copy(hash, object.begin());
  return object;
}

Bytes without_hash(std::span<const std::byte> object) {
  return {object.begin() + kHashBytes, object.end()};
}

}  // namespace

void check(std::span<const std::byte> input) {
  check_object(input);
  check_head(input);
  const Bytes object = with_hash(input);
  check_object(object);
  check_head(object);
  require(epoch_of(object) == epoch_of(std::span(object).first(2)));
}

std::vector<Bytes> seeds() {
  const Bytes content(30, std::byte{'c'});
  const Bytes file = make_file_object("name.txt", content);
  ByteWriter several;
  const Bytes manifest =
      Manifest::of({{EntryKind::kFile, "a/b", 10}, {EntryKind::kProgram, "c", 20}})->bytes();
  several.put(std::uint8_t{2});
  several.put(static_cast<std::uint32_t>(manifest.size()));
  several.put_bytes(manifest);
  several.put_bytes(content);
  return {file, without_hash(file), several.take()};
}

}  // namespace wccl::fuzz
