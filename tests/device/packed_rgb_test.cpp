#include "device/packed_rgb.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "device/frame_planes.h"

namespace wccl::device {
namespace {

using Frame = FfmpegOwner<AVFrame>;
using Colour = std::array<int, 3>;

constexpr int kWidth = 37;  // no multiple of what a processor does at once
constexpr int kHeight = 3;

Frame frame_of(AVPixelFormat format, const Colour& bytes) {
  Frame frame(av_frame_alloc());
  frame->format = format;
  frame->width = kWidth;
  frame->height = kHeight;
  EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      for (int i = 0; i < 3; ++i) {
        frame->data[0][y * frame->linesize[0] + 4 * x + i] =
            static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(i)]);
      }
    }
  }
  return frame;
}

/// Of an even picture: what its last pixel became.
Colour planes_of(AVPixelFormat format, const Colour& bytes) {
  const auto planes = FramePlanes().convert(frame_of(format, bytes)).value();
  const YuvView view = view_of(*planes);
  EXPECT_EQ(view.y.width, kWidth);
  EXPECT_EQ(view.cb.width, kWidth);
  const auto last = [](const PlaneView& plane) { return plane.row(kHeight - 1)[kWidth - 1]; };
  return {last(view.y), last(view.cb), last(view.cr)};
}

TEST(PackedRgb, GreyHasNoColour) {
  for (const int level : {0, 1, 77, 128, 254, 255}) {
    EXPECT_EQ(planes_of(AV_PIX_FMT_BGR0, {level, level, level}), (Colour{level, 128, 128}));
  }
}

TEST(PackedRgb, PrimariesAreThoseOfJfif) {
  EXPECT_EQ(planes_of(AV_PIX_FMT_BGR0, {0, 0, 255}), (Colour{76, 85, 255}));  // red
  EXPECT_EQ(planes_of(AV_PIX_FMT_BGR0, {0, 255, 0}), (Colour{150, 44, 21}));
  EXPECT_EQ(planes_of(AV_PIX_FMT_BGR0, {255, 0, 0}), (Colour{29, 255, 107}));
}

TEST(PackedRgb, EitherOrderIsKnown) {
  EXPECT_EQ(planes_of(AV_PIX_FMT_RGB0, {10, 120, 200}), planes_of(AV_PIX_FMT_BGR0, {200, 120, 10}));
  EXPECT_EQ(planes_of(AV_PIX_FMT_RGBA, {10, 120, 200}), planes_of(AV_PIX_FMT_BGRA, {200, 120, 10}));
}

TEST(PackedRgb, EveryColourComesBackToAStepOrTwo) {
  for (int r = 0; r < 256; r += 15) {
    for (int g = 0; g < 256; g += 15) {
      for (int b = 0; b < 256; b += 15) {
        const auto planes = FramePlanes().convert(frame_of(AV_PIX_FMT_BGR0, {b, g, r})).value();
        const RgbImage back = to_rgb(view_of(*planes));
        const std::uint8_t* const pixel = back.row(1);
        EXPECT_LE(std::abs(pixel[0] - r), 2);
        EXPECT_LE(std::abs(pixel[1] - g), 2);
        EXPECT_LE(std::abs(pixel[2] - b), 2);
      }
    }
  }
}

}  // namespace
}  // namespace wccl::device
