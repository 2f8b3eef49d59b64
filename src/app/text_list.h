#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace wccl::app {

/// The parts of "a,b,c"; none of "".
[[nodiscard]] inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

}  // namespace wccl::app
