#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "base/image.h"
#include "device/steady_time.h"

namespace wccl::device {

struct ScreenFormat {
  int width_px = 0;  ///< Of the drawable: one pixel of a frame is one of the panel.
  int height_px = 0;
  double refresh_hz = 0;
};

/// A real screen. All calls come from the thread that opened it, which on macOS must be the main
/// one.
class Screen {
 public:
  virtual ~Screen() = default;
  Screen() = default;
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  [[nodiscard]] virtual ScreenFormat format() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;

  /// Waits for the next vertical blank and shows `frame` from then on.
  /// @param frame  Of the format's size; null keeps what is shown.
  /// @return when the change happened; kCancelled when the user has asked to leave (Esc, window
  /// closed) since the last call, which shows nothing then; the next one does.
  [[nodiscard]] virtual Result<Instant> present(const RgbImage* frame) = 0;
};

/// Opens what --screen names: a display's number (full screen), or `window[:WxH]` in the middle of
/// the first display. Empty: full screen on the first display. Ctrl-C stays the program's.
/// @param title  Of the window.
/// @param time   Borrowed.
/// @return kNotFound (no display, no such number) or kInvalidArgument, in a line that says what to
/// do.
[[nodiscard]] Result<std::unique_ptr<Screen>> open_screen(const std::string& choice,
                                                          const std::string& title,
                                                          const SteadyTime& time);

struct DisplayEntry {
  int number = 0;  ///< What --screen takes.
  std::string name;
  ScreenFormat format;
};
/// @return empty where there is no display.
[[nodiscard]] std::vector<DisplayEntry> list_displays();

}  // namespace wccl::device
