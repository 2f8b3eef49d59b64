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

/// While it lives the second press ends the process on the spot: for a rank that hangs in a call
/// which nothing can wake (Gloo's). What it has written so far is whole, as files appear by rename.
class ExitAtSecondPress {
 public:
  ExitAtSecondPress();
  ~ExitAtSecondPress();
  ExitAtSecondPress(const ExitAtSecondPress&) = delete;
  ExitAtSecondPress& operator=(const ExitAtSecondPress&) = delete;
};

/// Pressed once: stop at the next sync, in good order.
[[nodiscard]] bool interrupted();
/// Pressed twice: stop where you are.
[[nodiscard]] bool interrupted_twice();
/// Pressed three times: not even for a goodbye.
[[nodiscard]] bool interrupted_thrice();

}  // namespace wccl::app
