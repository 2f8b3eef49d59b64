#include "transfer/safe_name.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/printable.h"

namespace wccl::transfer {
namespace {

// Beyond what is a path or a trick everywhere, only the system at hand says what cannot be in a
// name. What one system takes for a name is another's path.
#ifdef _WIN32
constexpr std::string_view kForbidden = "\\<>:\"|?*";
constexpr bool kDropsEnd = true;
#else
constexpr std::string_view kForbidden = "\\";
constexpr bool kDropsEnd = false;
#endif

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

std::string safe_base_name(std::string_view name) {
  if (const auto slash = name.find_last_of('/'); slash != std::string_view::npos) {
    name.remove_prefix(slash + 1);
  }
  std::string safe = printable(name, kMostNameBytes, kForbidden);
  if (kDropsEnd) {
    while (safe.ends_with('.') || safe.ends_with(' ')) {
      safe.pop_back();
    }
  }
  if (safe.empty() || safe == "." || safe == "..") {
    return "file";
  }
  if (is_reserved_by_windows(safe)) {
    // Cut again where it has become too long, and not in the middle of a character.
    safe = printable("_" + safe, kMostNameBytes);
  }
  return safe;
}

}  // namespace wccl::transfer
