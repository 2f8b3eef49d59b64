#include "app/interrupt.h"

#include <atomic>
#include <csignal>

namespace wccl::app {
namespace {

std::atomic<int> presses{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

void count_press(int /*signal*/) {
  presses.fetch_add(1, std::memory_order_relaxed);
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
  if (!interrupted()) set_handler(SIG_DFL);
}

bool interrupted() {
  return presses.load(std::memory_order_relaxed) >= 1;
}
bool interrupted_twice() {
  return presses.load(std::memory_order_relaxed) >= 2;
}

}  // namespace wccl::app
