#include "app/progress_line.h"

#include <fmt/core.h>

#include "app/print.h"
#include "app/terminal.h"

namespace wccl::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kRedraw{100};
constexpr milliseconds kNewLine{5000};

}  // namespace

ProgressLine::ProgressLine(std::FILE* stream)
    : stream_(stream), in_place_(inspect_terminal(stream).redraws), last_(steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  clear();
}

bool ProgressLine::is_due() {
  const auto now = steady_clock::now();
  if (now - last_ < (in_place_ ? kRedraw : kNewLine)) {
    return false;
  }
  last_ = now;
  return true;
}

void ProgressLine::print(const std::string& text) {
  if (in_place_) {
    app::print(stream_, "\r\x1b[K{}", text);
    on_screen_ = true;
  } else {
    app::print(stream_, "{}\n", text);
  }
  static_cast<void>(std::fflush(stream_));
}

void ProgressLine::clear() {
  if (!on_screen_) {
    return;
  }
  app::print(stream_, "\r\x1b[K");
  static_cast<void>(std::fflush(stream_));
  on_screen_ = false;
}

}  // namespace wccl::app
