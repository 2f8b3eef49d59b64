#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/image.h"

namespace wccl::room {

struct Colour {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
};

/// Draws a closed polygon into a report's picture; what lies outside the image is left out.
void draw_polygon(RgbImage& image,
                  std::span<const Point> corners,
                  Colour colour,
                  int thickness_px = 3);

/// Writes text in a 5 x 7 dot font (digits, letters in capitals, and -.,:%/) on a dark ground.
/// @param top_left  Of the text's box; moved into the image when it would stick out.
void draw_text(
    RgbImage& image, Point top_left, std::string_view text, Colour colour, int dot_px = 4);

}  // namespace wccl::room
