#include "base/printable.h"

#include <algorithm>
#include <array>

namespace wccl {
namespace {

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

}  // namespace

std::string printable(std::string_view text, std::size_t most_bytes, std::string_view forbidden) {
  std::string safe;
  while (!text.empty() && safe.size() < most_bytes) {
    const std::size_t n = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    const bool control = first < 0x20 || first == 0x7f ||
                         (n == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0);
    if (n == 0 || control || (n == 1 && forbidden.find(text.front()) != std::string_view::npos)) {
      safe += '_';
    } else if (safe.size() + n > most_bytes) {
      break;
    } else {
      safe += text.substr(0, n);
    }
    text.remove_prefix(std::max<std::size_t>(n, 1));
  }
  return safe;
}

}  // namespace wccl
