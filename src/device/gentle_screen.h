#pragma once

#include <memory>

#include "device/screen.h"

namespace wccl::device {

/// The least time between two changes: no three flashes a second (WCAG 2.3.1), each of which takes
/// two changes.
constexpr Duration kGentlePause = std::chrono::milliseconds(334);

/// A screen that is easy on people whom flicker harms: low contrast, and at most three changes a
/// second. A frame that comes earlier waits, and present() with it.
/// @param time  Borrowed.
[[nodiscard]] std::unique_ptr<Screen> make_gentle(std::unique_ptr<Screen> screen,
                                                  const SteadyTime& time);

}  // namespace wccl::device
