#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "tests/temporary_folder.h"

namespace wccl::fuzz {

/// A folder for parsers that read files, the same for all inputs: made once.
[[nodiscard]] inline const std::filesystem::path& scratch() {
  static const TemporaryFolder kFolder;
  return kFolder.path();
}

/// Takes away what earlier inputs left in it.
[[nodiscard]] inline const std::filesystem::path& empty_scratch() {
  for (const auto& entry : std::filesystem::directory_iterator(scratch())) {
    std::filesystem::remove_all(entry.path());
  }
  return scratch();
}

inline void put_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

[[nodiscard]] inline std::string get_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace wccl::fuzz
