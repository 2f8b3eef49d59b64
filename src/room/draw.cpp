#include "room/draw.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace wccl::room {
namespace {

constexpr int kGlyphWidth = 5;
constexpr int kGlyphHeight = 7;

struct Glyph {
  char symbol;
  std::array<std::uint8_t, kGlyphHeight> rows;  ///< Five bits each, the left dot highest.
};

constexpr Glyph kFont[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 6, 8, 16, 31}},    {'3', {14, 17, 1, 6, 1, 17, 14}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 2, 12}},
    {'A', {14, 17, 17, 31, 17, 17, 17}}, {'B', {30, 17, 17, 30, 17, 17, 30}},
    {'C', {14, 17, 16, 16, 16, 17, 14}}, {'D', {30, 17, 17, 17, 17, 17, 30}},
    {'E', {31, 16, 16, 30, 16, 16, 31}}, {'F', {31, 16, 16, 30, 16, 16, 16}},
    {'G', {14, 17, 16, 23, 17, 17, 15}}, {'H', {17, 17, 17, 31, 17, 17, 17}},
    {'I', {14, 4, 4, 4, 4, 4, 14}},      {'J', {7, 2, 2, 2, 2, 18, 12}},
    {'K', {17, 18, 20, 24, 20, 18, 17}}, {'L', {16, 16, 16, 16, 16, 16, 31}},
    {'M', {17, 27, 21, 21, 17, 17, 17}}, {'N', {17, 25, 21, 19, 17, 17, 17}},
    {'O', {14, 17, 17, 17, 17, 17, 14}}, {'P', {30, 17, 17, 30, 16, 16, 16}},
    {'Q', {14, 17, 17, 17, 21, 18, 13}}, {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'S', {15, 16, 16, 14, 1, 1, 30}},   {'T', {31, 4, 4, 4, 4, 4, 4}},
    {'U', {17, 17, 17, 17, 17, 17, 14}}, {'V', {17, 17, 17, 17, 17, 10, 4}},
    {'W', {17, 17, 17, 21, 21, 27, 17}}, {'X', {17, 17, 10, 4, 10, 17, 17}},
    {'Y', {17, 17, 10, 4, 4, 4, 4}},     {'Z', {31, 1, 2, 4, 8, 16, 31}},
    {'-', {0, 0, 0, 31, 0, 0, 0}},       {'.', {0, 0, 0, 0, 0, 12, 12}},
    {',', {0, 0, 0, 0, 12, 4, 8}},       {':', {0, 12, 12, 0, 12, 12, 0}},
    {'%', {24, 25, 2, 4, 8, 19, 3}},     {'/', {1, 1, 2, 4, 8, 16, 16}},
    {'\'', {4, 4, 8, 0, 0, 0, 0}},       {'(', {2, 4, 8, 8, 8, 4, 2}},
    {')', {8, 4, 2, 2, 2, 4, 8}},        {';', {0, 12, 12, 0, 12, 4, 8}},
    {'?', {14, 17, 1, 2, 4, 0, 4}},      {'"', {10, 10, 10, 0, 0, 0, 0}},
    {'`', {8, 4, 2, 0, 0, 0, 0}},
};

const Glyph* find_glyph(char symbol) {
  const auto capital = static_cast<char>(std::toupper(static_cast<unsigned char>(symbol)));
  const auto* found = std::find_if(std::begin(kFont), std::end(kFont),
                                   [&](const Glyph& g) { return g.symbol == capital; });
  return found == std::end(kFont) ? nullptr : found;
}

/// A square about (x, y), as far as it is inside.
void fill(RgbImage& image, int left, int top, int width, int height, Colour colour) {
  for (int y = std::max(top, 0); y < std::min(top + height, image.height); ++y) {
    std::uint8_t* row = image.row(y);
    for (int x = std::max(left, 0); x < std::min(left + width, image.width); ++x) {
      row[3 * x] = colour.r;
      row[3 * x + 1] = colour.g;
      row[3 * x + 2] = colour.b;
    }
  }
}

void draw_line(RgbImage& image, Point from, Point to, Colour colour, int thickness) {
  const double n_steps =
      std::ceil(std::max({std::abs(to.x - from.x), std::abs(to.y - from.y), 1.0}));
  if (n_steps > 1e5) {
    return;  // a corner at the horizon
  }
  for (int i = 0; i <= static_cast<int>(n_steps); ++i) {
    const double t = i / n_steps;
    const int x = static_cast<int>(std::floor(from.x + t * (to.x - from.x))) - thickness / 2;
    const int y = static_cast<int>(std::floor(from.y + t * (to.y - from.y))) - thickness / 2;
    fill(image, x, y, thickness, thickness, colour);
  }
}

}  // namespace

void draw_polygon(RgbImage& image,
                  std::span<const Point> corners,
                  Colour colour,
                  int thickness_px) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    draw_line(image, corners[i], corners[(i + 1) % corners.size()], colour, thickness_px);
  }
}

void draw_text(RgbImage& image, Point top_left, std::string_view text, Colour colour, int dot_px) {
  const int width = (static_cast<int>(text.size()) * (kGlyphWidth + 1) + 1) * dot_px;
  const int height = (kGlyphHeight + 2) * dot_px;
  const int left =
      static_cast<int>(std::clamp(top_left.x, 0.0, std::max(0.0, double(image.width - width))));
  const int top =
      static_cast<int>(std::clamp(top_left.y, 0.0, std::max(0.0, double(image.height - height))));
  fill(image, left, top, width, height, {16, 16, 16});
  int pen = left + dot_px;
  for (const char symbol : text) {
    const Glyph* glyph = find_glyph(symbol);
    for (int row = 0; glyph != nullptr && row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphWidth; ++column) {
        const unsigned dots = glyph->rows[static_cast<std::size_t>(row)];
        if ((dots >> static_cast<unsigned>(kGlyphWidth - 1 - column) & 1U) == 0) {
          continue;
        }
        fill(image, pen + column * dot_px, top + (row + 1) * dot_px, dot_px, dot_px, colour);
      }
    }
    pen += (kGlyphWidth + 1) * dot_px;
  }
}

}  // namespace wccl::room
