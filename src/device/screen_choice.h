#pragma once

#include <string_view>

#include "wccl/result.h"

namespace wccl::device {

/// What --screen names.
struct ScreenChoice {
  bool is_window = false;
  int display = 0;   ///< Full screen on this one.
  int width_px = 0;  ///< Of the window; 0: whatever suits the display.
  int height_px = 0;
};

/// Sides of a window: frames below do not hold a header, and one has 12 bits for each side.
constexpr int kLeastWindowWidth = 320;
constexpr int kLeastWindowHeight = 200;
constexpr int kMostFrameSide = 4095;

/// "", "1", "window" or "window:1280x800". @return kInvalidArgument
[[nodiscard]] Result<ScreenChoice> parse_screen_choice(std::string_view text);

}  // namespace wccl::device
