#pragma once

#include <string>
#include <vector>

namespace wccl::app {

/// Breaks a line at its spaces. @param width  In letters; a word longer than that is cut.
[[nodiscard]] std::vector<std::string> wrap(const std::string& line, int width);

}  // namespace wccl::app
