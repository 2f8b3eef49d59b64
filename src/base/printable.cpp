#include "base/printable.h"

#include <array>

namespace wccl {
namespace {

struct Character {
  std::size_t n_bytes = 1;
  bool is_printable = false;
};

bool turns_direction(unsigned code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// The UTF-8 character at the start (RFC 3629); a byte that begins none is one that is not
/// printable.
Character first_of(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) {
    return {1, first >= 0x20 && first != 0x7f};
  }
  const std::size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < n) {
    return {};
  }
  unsigned code = first & (0x7fU >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      return {};
    }
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<unsigned, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[n] || code > 0x10ffff || surrogate) {
    return {};
  }
  return {n, code >= 0xa0 && !turns_direction(code)};
}

/// "\x1b"
std::string in_hex(unsigned byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 0xfU]};
}

}  // namespace

std::string printable(std::string_view text, std::size_t most_bytes, std::string_view forbidden) {
  std::string safe;
  while (!text.empty() && safe.size() < most_bytes) {
    const Character character = first_of(text);
    if (!character.is_printable || forbidden.find(text.front()) != std::string_view::npos) {
      safe += '_';
    } else if (safe.size() + character.n_bytes > most_bytes) {
      break;
    } else {
      safe += text.substr(0, character.n_bytes);
    }
    text.remove_prefix(character.n_bytes);
  }
  return safe;
}

std::string escaped(std::string_view text, std::size_t most_bytes) {
  std::string shown;
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::string_view bytes = text.substr(0, character.n_bytes);
    if (shown.size() + bytes.size() > most_bytes) {
      return shown + "...";
    }
    if (character.is_printable) {
      shown += bytes;
    } else {
      for (const char byte : bytes) {
        shown += in_hex(static_cast<unsigned char>(byte));
      }
    }
    text.remove_prefix(character.n_bytes);
  }
  return shown;
}

}  // namespace wccl
