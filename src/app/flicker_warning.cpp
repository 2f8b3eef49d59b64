#include "app/flicker_warning.h"

#include <chrono>
#include <cstdio>
#include <thread>

#include "app/interrupt.h"
#include "app/print.h"
#include "app/terminal.h"

namespace wccl::app {
namespace {

constexpr int kCountdownSeconds = 3;

/// @return kCancelled after Ctrl-C.
Status count_down() {
  for (int left = kCountdownSeconds; left > 0; --left) {
    app::print(stderr, "\r\x1b[Kstarting in {} s, Ctrl-C stops", left);
    static_cast<void>(std::fflush(stderr));
    for (int tenth = 0; tenth < 10; ++tenth) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (interrupted()) {
        app::print(stderr, "\n");
        return fail(ErrorCode::kCancelled, "interrupted");
      }
    }
  }
  app::print(stderr, "\r\x1b[K");
  return {};
}

}  // namespace

Status warn_of_flicker(std::string_view command, bool gentle) {
  static bool said = false;
  if (gentle || said) {
    return {};
  }
  said = true;
  app::print(stderr,
             "wccl {}: the screen is going to flicker, which can harm people with photosensitive "
             "epilepsy; --gentle changes it seldom and softly\n",
             command);
  return inspect_terminal(stderr).redraws ? count_down() : Status{};
}

}  // namespace wccl::app
