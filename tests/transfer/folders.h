#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "../temporary_folder.h"

namespace wccl::transfer {

inline void write_file(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Content in which no two places are alike.
inline std::string noise(std::size_t n_bytes, unsigned seed) {
  std::string text(n_bytes, '\0');
  std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
  for (char& character : text) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    character = static_cast<char>(state >> 56U);
  }
  return text;
}

}  // namespace wccl::transfer
