#pragma once

namespace wccl::app {

/// Counts Ctrl-C (SIGINT) and SIGTERM while it lives, instead of dying of them. Once one has come
/// they stay counted to the end of the program.
///
/// The last press ends the process on the spot, with kExitInterrupted: for calls that hang and that
/// nothing can wake (those to an X server that is stopped, Gloo's). What was written by then is
/// whole, as files appear by rename.
class InterruptGuard {
 public:
  static constexpr int kLastPress = 3;

  /// @param sign  A line that the first press puts on stderr at once; null where all ends at once.
  explicit InterruptGuard(const char* sign = nullptr, int last_press = kLastPress);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// Pressed once: stop at the next sync, in good order.
[[nodiscard]] bool interrupted();
/// Pressed twice: stop where you are.
[[nodiscard]] bool interrupted_twice();

}  // namespace wccl::app
