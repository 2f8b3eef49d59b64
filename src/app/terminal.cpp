#include "app/terminal.h"

#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace wccl::app {

Terminal inspect_terminal(std::FILE* stream) {
  Terminal terminal;
  const int descriptor = fileno(stream);
  const char* kind = std::getenv("TERM");
  terminal.redraws = isatty(descriptor) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
  const char* no_colour = std::getenv("NO_COLOR");
  terminal.colours = terminal.redraws && (no_colour == nullptr || *no_colour == '\0');
  winsize size{};
  if (terminal.redraws && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
  }
  return terminal;
}

}  // namespace wccl::app
