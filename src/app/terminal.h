#pragma once

#include <cstdio>

namespace wccl::app {

/// What the stream at the other end can do.
struct Terminal {
  bool redraws = false;  ///< A person's terminal that understands cursor movement.
  bool colours = false;  ///< And its owner has not set NO_COLOR (no-color.org).
  int width = 80;        ///< Columns, as they are now.
};

[[nodiscard]] Terminal inspect_terminal(std::FILE* stream);

}  // namespace wccl::app
