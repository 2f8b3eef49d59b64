#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bits.h"

namespace wccl::test {

/// The golden vectors of tests/vectors/NAME: lines of a key and hex digits.
inline std::map<std::string, std::string> load_vectors(const std::string& name) {
  std::ifstream file(std::string(WCCL_SOURCE_DIR) + "/tests/vectors/" + name);
  if (!file) {
    throw std::runtime_error("no golden vectors " + name);
  }
  std::map<std::string, std::string> vectors;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') {
      continue;
    }
    std::istringstream words(line);
    std::string key;
    words >> key >> vectors[key];
  }
  return vectors;
}

inline std::vector<std::byte> bytes_of_hex(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

inline BitVector bits_of_hex(const std::string& hex, std::size_t n_bits) {
  BitVector bits = unpack_bits(bytes_of_hex(hex));
  bits.resize(n_bits);
  return bits;
}

}  // namespace wccl::test
