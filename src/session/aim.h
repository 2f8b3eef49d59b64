#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/image.h"
#include "phy/receiver.h"

namespace wccl::session {

/// How one screen is seen, and what its users could do to see it better.
struct Aim {
  std::uint8_t node = 0;
  std::string name;        ///< Its identity in words; empty before a header was read.
  double width_share = 0;  ///< Of the picture's width.
  double best_snr_db = 0;
  double cell_px = 0;       ///< Of a payload cell, in camera pixels.
  double bright_level = 0;  ///< Grey level of bright cells, 0 to 255; 0: not measured yet.
  double expected_bps = 0;  ///< What the best mode for this view carries.
  std::string expected_mode;
  std::vector<std::string> hints;  ///< A line each, the most useful first; empty: fine as it is.
};

/// Whether the screen's latest frame is of the laptop with this identity: its own, in a mirror or
/// by a wrong aim, to the laptop itself.
[[nodiscard]] bool shows_identity(const phy::ScreenReception& screen, std::uint16_t identity);

/// @param picture  The capture in which the screen was found.
/// @param panel    Of the screen seen, for the expected rate.
[[nodiscard]] Aim judge_aim(const phy::ScreenReception& screen, const YuvView& picture);

/// What a picture says when no screen was found in it: covered, dark, blinded, or simply elsewhere.
[[nodiscard]] std::string judge_empty_picture(const YuvView& picture);

}  // namespace wccl::session
