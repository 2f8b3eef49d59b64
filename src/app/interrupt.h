#pragma once

namespace wccl::app {

/// Counts Ctrl-C (SIGINT) and SIGTERM while it lives, instead of dying of them. Once one has come
/// they stay counted to the end of the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// Pressed once: stop at the next sync, in good order.
[[nodiscard]] bool interrupted();
/// Pressed twice: stop where you are.
[[nodiscard]] bool interrupted_twice();

}  // namespace wccl::app
