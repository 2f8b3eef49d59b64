#include "base/image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <gmock/gmock.h>

namespace wccl {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;

using Rgb = std::array<std::uint8_t, 3>;
using Ycc = std::array<std::uint8_t, 3>;

Rgb pixel(const RgbImage& image, int x, int y) {
  const std::uint8_t* p = image.row(y) + std::ptrdiff_t{3} * x;
  return {p[0], p[1], p[2]};
}

Rgb convert(const Ycc& ycc) {
  const PlaneView y{&ycc[0], 1, 1, 1};
  const PlaneView cb{&ycc[1], 1, 1, 1};
  const PlaneView cr{&ycc[2], 1, 1, 1};
  return pixel(to_rgb({y, cb, cr}), 0, 0);
}

std::uint8_t round_to_byte(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

/// The forward conversion of ITU-T T.871 (JFIF), section 7, in doubles.
Ycc jfif_forward(const Rgb& rgb) {
  const double r = rgb[0];
  const double g = rgb[1];
  const double b = rgb[2];
  return {round_to_byte(0.299 * r + 0.587 * g + 0.114 * b),
          round_to_byte((-0.299 * r - 0.587 * g + 0.886 * b) / 1.772 + 128),
          round_to_byte((0.701 * r - 0.587 * g - 0.114 * b) / 1.402 + 128)};
}

// The 8-bit codes of the primaries as any JFIF file holds them; 254 where 255.5 was cut to 255.
TEST(Image, JfifCodesOfThePrimariesBecomeThePrimaries) {
  EXPECT_THAT(convert({76, 85, 255}), ElementsAre(254, 0, 0));
  EXPECT_THAT(convert({150, 44, 21}), ElementsAre(0, 255, 1));
  EXPECT_THAT(convert({29, 255, 107}), ElementsAre(0, 0, 254));
}

TEST(Image, NeutralChromaIsGreyOverTheFullRange) {
  for (const int level : {0, 1, 16, 128, 235, 254, 255}) {
    const auto code = static_cast<std::uint8_t>(level);
    EXPECT_THAT(convert({code, 128, 128}), ElementsAre(code, code, code));
  }
}

TEST(Image, ColoursOutsideRgbAreClamped) {
  EXPECT_THAT(convert({255, 128, 255}), ElementsAre(255, 164, 255));
  EXPECT_THAT(convert({0, 0, 0}), ElementsAre(0, 135, 0));
}

// Each code is off by at most 1/2 from rounding (1 where 255.5 is cut), the result by another 1/2:
// blue's |error| <= 1/2 + 1.772 * 1 + 1/2 < 3, and the other two less.
TEST(Image, EveryColourSurvivesJfifToWithinItsRounding) {
  int worst = 0;
  for (int r = 0; r < 256; r += 15) {
    for (int g = 0; g < 256; g += 15) {
      for (int b = 0; b < 256; b += 15) {
        const Rgb colour{static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                         static_cast<std::uint8_t>(b)};
        const Rgb back = convert(jfif_forward(colour));
        for (std::size_t i = 0; i < 3; ++i) {
          worst = std::max(worst, std::abs(back[i] - colour[i]));
        }
      }
    }
  }
  EXPECT_LE(worst, 2);
}

TEST(Image, SubsampledChromaCoversItsTwoByTwoPixels) {
  YuvImage picture(4, 2);
  std::fill(picture.y.begin(), picture.y.end(), std::uint8_t{100});
  picture.cb = {128, 128};
  picture.cr = {128, 178};
  const RgbImage rgb = to_rgb(picture.view());
  for (int y = 0; y < 2; ++y) {
    EXPECT_THAT(pixel(rgb, 0, y), ElementsAre(100, 100, 100));
    EXPECT_THAT(pixel(rgb, 1, y), ElementsAre(100, 100, 100));
    EXPECT_THAT(pixel(rgb, 2, y), ElementsAre(170, 64, 100));
    EXPECT_THAT(pixel(rgb, 3, y), ElementsAre(170, 64, 100));
  }
}

TEST(Image, OddSizesHaveHalfAChromaSampleOver) {
  YuvImage picture(5, 3);
  EXPECT_EQ(picture.chroma_width, 3);
  EXPECT_EQ(picture.chroma_height, 2);
  picture.cb.assign(6, 128);
  picture.cr.assign(6, 128);
  picture.cr[5] = 228;  // belongs to the last pixel alone
  const RgbImage rgb = to_rgb(picture.view());
  EXPECT_EQ(pixel(rgb, 4, 2)[0], 140);
  EXPECT_EQ(pixel(rgb, 3, 2)[0], 0);
  EXPECT_EQ(pixel(rgb, 4, 1)[0], 0);
}

TEST(Image, StridesAreFollowed) {
  constexpr std::array<std::uint8_t, 8> kPadded{10, 20, 0, 0, 30, 40, 0, 0};
  constexpr std::array<std::uint8_t, 4> kNeutral{128, 128, 128, 128};
  const RgbImage rgb =
      to_rgb({{kPadded.data(), 2, 2, 4}, {kNeutral.data(), 2, 2, 2}, {kNeutral.data(), 2, 2, 2}});
  EXPECT_THAT(rgb.pixels, ElementsAreArray({10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40}));
}

TEST(Image, NewPicturesAreBlackAndOfTheirSize) {
  const RgbImage rgb(7, 5);
  EXPECT_EQ(rgb.pixels.size(), 7U * 5U * 3U);
  EXPECT_THAT(rgb.pixels, Each(0));
  EXPECT_EQ(rgb.row(4) - rgb.row(0), 4 * 7 * 3);
}

}  // namespace
}  // namespace wccl
