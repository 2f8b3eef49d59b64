#include "app/interrupt.h"

#include <atomic>
#include <csignal>

#include <unistd.h>

#include "app/exit_status.h"

namespace wccl::app {
namespace {

std::atomic<int> presses{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

std::atomic<bool> exit_at_second{false};

void count_press(int /*signal*/) {
  const int before = presses.fetch_add(1, std::memory_order_relaxed);
  if (before >= 1 && exit_at_second.load(std::memory_order_relaxed)) {
    _exit(kExitInterrupted);
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

InterruptGuard::InterruptGuard() {
  presses = 0;
  set_handler(count_press);
}

InterruptGuard::~InterruptGuard() {
  // After a press the program is on its way out, and one more must not take its exit status away.
  if (!interrupted()) {
    set_handler(SIG_DFL);
  }
}

ExitAtSecondPress::ExitAtSecondPress() {
  exit_at_second = true;
}

ExitAtSecondPress::~ExitAtSecondPress() {
  exit_at_second = false;
}

bool interrupted() {
  return presses.load(std::memory_order_relaxed) >= 1;
}
bool interrupted_twice() {
  return presses.load(std::memory_order_relaxed) >= 2;
}
bool interrupted_thrice() {
  return presses.load(std::memory_order_relaxed) >= 3;
}

}  // namespace wccl::app
