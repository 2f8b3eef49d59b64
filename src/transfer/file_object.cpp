#include "transfer/file_object.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "base/bytes.h"
#include "transfer/hash.h"
#include "transfer/safe_name.h"

namespace wccl::transfer {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kHashBytes = std::tuple_size_v<Sha256>;
constexpr std::size_t kFixedBytes = kHashBytes + 1 + 2;
}  // namespace

std::vector<std::byte> make_file_object(std::string_view name, std::span<const std::byte> content) {
  assert(name.size() <= kMostNameBytes);
  ByteWriter writer;
  writer.put_bytes(Sha256{});
  writer.put(kVersion);
  writer.put(static_cast<std::uint16_t>(name.size()));
  writer.put_bytes(std::as_bytes(std::span(name)));
  writer.put_bytes(content);
  auto object = writer.take();
  const auto hash = sha256(std::span(object).subspan(kHashBytes));
  std::copy(hash.begin(), hash.end(), object.begin());
  return object;
}

std::uint16_t epoch_of(std::span<const std::byte> object) {
  return *ByteReader(object).get<std::uint16_t>();
}

Result<FileObject> parse_file_object(std::span<const std::byte> object) {
  ByteReader reader(object);
  const auto hash = reader.get_bytes(kHashBytes);
  if (!hash || !std::ranges::equal(*hash, sha256(reader.rest()))) {
    return fail(ErrorCode::kCorrupt, "the hash does not hold");
  }
  const auto version = reader.get<std::uint8_t>();
  if (version != kVersion) {
    return fail(ErrorCode::kUnsupported, "the sender has a newer version of wccl");
  }
  const auto n_name = reader.get<std::uint16_t>();
  const auto name = n_name ? reader.get_bytes(*n_name) : std::nullopt;
  if (!name) {
    return fail(ErrorCode::kCorrupt, "it says of itself what cannot be");
  }
  return FileObject{{reinterpret_cast<const char*>(name->data()), name->size()}, reader.rest()};
}

std::size_t file_object_overhead(std::string_view name) {
  return kFixedBytes + name.size();
}

}  // namespace wccl::transfer
