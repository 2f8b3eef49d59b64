#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wccl {

/// A point in pixels; (0, 0) is the top left corner of the top left pixel, whose centre is (0.5,
/// 0.5).
struct Point {
  double x = 0;
  double y = 0;
};

/// Interleaved 8-bit sRGB, row by row without padding: what a screen shows, what a PNG holds.
struct RgbImage {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  ///< [height * width * 3]

  RgbImage() = default;
  RgbImage(int width_px, int height_px)
      : width(width_px),
        height(height_px),
        pixels(static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px) * 3) {}

  [[nodiscard]] std::uint8_t* row(int y) { return pixels.data() + offset(y); }
  [[nodiscard]] const std::uint8_t* row(int y) const { return pixels.data() + offset(y); }

 private:
  [[nodiscard]] std::size_t offset(int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 3;
  }
};

/// One borrowed 8-bit plane.
struct PlaneView {
  const std::uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  int stride = 0;  ///< Bytes from one row to the next.

  [[nodiscard]] const std::uint8_t* row(int y) const {
    return data + static_cast<std::ptrdiff_t>(y) * stride;
  }
};

/// A borrowed camera picture: full-range Y'CbCr of ITU-R BT.601 as JFIF has it. Cb and Cr may be
/// subsampled; their sizes say by how much (half, rounded up, each way for 4:2:0).
struct YuvView {
  PlaneView y;
  PlaneView cb;
  PlaneView cr;
};

/// An owned camera picture.
struct YuvImage {
  int width = 0;
  int height = 0;
  int chroma_width = 0;
  int chroma_height = 0;
  std::vector<std::uint8_t> y;   ///< [height * width]
  std::vector<std::uint8_t> cb;  ///< [chroma_height * chroma_width]
  std::vector<std::uint8_t> cr;  ///< [chroma_height * chroma_width]

  YuvImage() = default;
  /// A 4:2:0 picture, all zero.
  YuvImage(int width_px, int height_px)
      : width(width_px),
        height(height_px),
        chroma_width((width_px + 1) / 2),
        chroma_height((height_px + 1) / 2),
        y(static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px)),
        cb(static_cast<std::size_t>(chroma_width) * static_cast<std::size_t>(chroma_height)),
        cr(cb.size()) {}

  [[nodiscard]] YuvView view() const {
    return {{y.data(), width, height, width},
            {cb.data(), chroma_width, chroma_height, chroma_width},
            {cr.data(), chroma_width, chroma_height, chroma_width}};
  }
};

/// BT.601 full range to 8-bit sRGB, chroma repeated to the size of luma.
[[nodiscard]] RgbImage to_rgb(const YuvView& yuv);

}  // namespace wccl
