#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace wccl::app {

/// fmt::print, but for streams that may take nothing (a full disk, a reader that left): a line less
/// is no reason to end a run, and an exception in a thread of the room would. The stream remembers:
/// main() looks at stdout at the end.
template <typename... Args>
void print(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

template <typename... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  app::print(stdout, format, std::forward<Args>(args)...);
}

}  // namespace wccl::app
