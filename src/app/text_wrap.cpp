#include "app/text_wrap.h"

#include <algorithm>

namespace wccl::app {

std::vector<std::string> wrap(const std::string& line, int width) {
  const auto most = static_cast<std::size_t>(std::max(width, 1));
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (line.size() - at > most) {
    const std::size_t space = line.rfind(' ', at + most);
    const bool has_space = space != std::string::npos && space > at;
    const std::size_t end = has_space ? space : at + most;
    parts.push_back(line.substr(at, end - at));
    at = end + (has_space ? 1 : 0);
  }
  parts.push_back(line.substr(at));
  return parts;
}

}  // namespace wccl::app
