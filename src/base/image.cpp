#include "base/image.h"

#include <algorithm>
#include <cmath>

namespace wccl {
namespace {

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

}  // namespace

RgbImage to_rgb(const YuvView& yuv) {
  RgbImage rgb(yuv.y.width, yuv.y.height);
  for (int y = 0; y < rgb.height; ++y) {
    const int chroma_y = y * yuv.cb.height / yuv.y.height;
    const std::uint8_t* luma = yuv.y.row(y);
    const std::uint8_t* cb_row = yuv.cb.row(chroma_y);
    const std::uint8_t* cr_row = yuv.cr.row(chroma_y);
    std::uint8_t* out = rgb.row(y);
    for (int x = 0; x < rgb.width; ++x, out += 3) {
      const int chroma_x = x * yuv.cb.width / yuv.y.width;
      const auto cb = static_cast<float>(cb_row[chroma_x] - 128);
      const auto cr = static_cast<float>(cr_row[chroma_x] - 128);
      const auto value = static_cast<float>(luma[x]);
      out[0] = to_byte(value + 1.402F * cr);  // ITU-T T.871 (JFIF), section 7
      out[1] = to_byte(value - 0.344136F * cb - 0.714136F * cr);
      out[2] = to_byte(value + 1.772F * cb);
    }
  }
  return rgb;
}

}  // namespace wccl
