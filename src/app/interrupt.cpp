#include "app/interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "app/exit_status.h"
#include "app/terminal.h"

namespace wccl::app {
namespace {

std::atomic<int> presses{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

// What the handler reads; set before it is.
int exit_at = InterruptGuard::kLastPress;
std::string first_sign;

void count_press(int /*signal*/) {
  const int before = presses.fetch_add(1, std::memory_order_relaxed);
  if (before + 1 >= exit_at) {
    _exit(kExitInterrupted);
  }
  if (before == 0 && !first_sign.empty()) {
    const int error = errno;
    [[maybe_unused]] const auto n = write(STDERR_FILENO, first_sign.data(), first_sign.size());
    errno = error;
  }
}

void set_handler(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard(const char* sign, int last_press) {
  presses = 0;
  exit_at = last_press;
  first_sign.clear();
  if (sign != nullptr) {
    // Whatever progress is in the line gives way.
    first_sign = fmt::format("{}{}\n", inspect_terminal(stderr).redraws ? "\r\x1b[K" : "", sign);
  }
  set_handler(count_press);
}

InterruptGuard::~InterruptGuard() {
  // After a press the program is on its way out, and one more must not take its exit status away.
  if (!interrupted()) {
    set_handler(SIG_DFL);
  }
}

bool interrupted() {
  return presses.load(std::memory_order_relaxed) >= 1;
}
bool interrupted_twice() {
  return presses.load(std::memory_order_relaxed) >= 2;
}

}  // namespace wccl::app
