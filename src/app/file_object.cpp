#include "app/file_object.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cstring>

#include <fmt/format.h>
#include <sodium.h>

#include "base/bytes.h"

namespace wccl::app {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kHashBytes = crypto_hash_sha256_BYTES;
constexpr std::size_t kFixedBytes = kHashBytes + 1 + 2;
constexpr std::size_t kMostNameBytes = 255;  // of a name in the file systems of our day

// Beyond what is a path or a trick everywhere, only the system at hand says what cannot be in a
// name.
#ifdef _WIN32
constexpr std::string_view kForbidden = "<>:\"|?*";
constexpr bool kDropsEnd = true;
#else
constexpr std::string_view kForbidden;
constexpr bool kDropsEnd = false;
#endif

using Hash = std::array<std::byte, kHashBytes>;

Hash sha256(std::span<const std::byte> bytes) {
  Hash hash{};
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(hash.data()),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return hash;
}

/// Length of the UTF-8 character at the start (RFC 3629), 0 when it is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  const std::size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < n) {
    return 0;
  }
  unsigned code = first & (0x7fU >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      return 0;
    }
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<unsigned, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < kLeast[n] || code > 0x10ffff || surrogate ? 0 : n;
}

bool is_reserved_by_windows(std::string_view name) {
  std::string stem(name.substr(0, name.find('.')));
  std::transform(stem.begin(), stem.end(), stem.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  while (stem.ends_with(' ')) {
    stem.pop_back();
  }
  for (const std::string_view device : {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}) {
    if (stem == device) {
      return true;
    }
  }
  const bool port = stem.starts_with("COM") || stem.starts_with("LPT");
  return port && stem.size() == 4 && stem[3] >= '0' && stem[3] <= '9';
}

}  // namespace

std::vector<std::byte> make_file_object(std::string_view name, std::span<const std::byte> content) {
  assert(name.size() <= kMostNameBytes);
  ByteWriter writer;
  writer.put_bytes(Hash{});
  writer.put(kVersion);
  writer.put(static_cast<std::uint16_t>(name.size()));
  writer.put_bytes(std::as_bytes(std::span(name)));
  writer.put_bytes(content);
  auto object = writer.take();
  const Hash hash = sha256(std::span(object).subspan(kHashBytes));
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

std::string safe_base_name(std::string_view name) {
  // Either system's separators: what one takes for a name is another's path.
  if (const auto slash = name.find_last_of("/\\"); slash != std::string_view::npos) {
    name.remove_prefix(slash + 1);
  }
  std::string safe;
  while (!name.empty()) {
    const std::size_t n = utf8_length(name);
    const auto first = static_cast<unsigned char>(name.front());
    const bool control = first < 0x20 || first == 0x7f ||
                         (n == 2 && first == 0xc2 && static_cast<unsigned char>(name[1]) < 0xa0);
    if (n == 0 || control || (n == 1 && kForbidden.find(name.front()) != std::string_view::npos)) {
      safe += '_';
    } else {
      if (safe.size() + n > kMostNameBytes) {
        break;
      }
      safe += name.substr(0, n);
    }
    name.remove_prefix(std::max<std::size_t>(n, 1));
    if (safe.size() >= kMostNameBytes) {
      break;
    }
  }
  if (kDropsEnd) {
    while (safe.ends_with('.') || safe.ends_with(' ')) {
      safe.pop_back();
    }
  }
  if (safe.empty() || safe == "." || safe == "..") {
    return "file";
  }
  if (is_reserved_by_windows(safe)) {
    safe.insert(0, 1, '_');
  }
  return safe.substr(0, kMostNameBytes);
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : sha256(bytes)) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  }
  return text;
}

}  // namespace wccl::app
