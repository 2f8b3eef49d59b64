#include "base/image.h"

#include <algorithm>
#include <vector>

namespace wccl {
namespace {

using Row = std::vector<std::uint8_t>;

/// The nearest. Written so that compilers do many at once.
std::uint8_t to_byte(float value) {
  const float above = value < 0.0F ? 0.0F : value;
  const float within = above > 255.0F ? 255.0F : above;
  return static_cast<std::uint8_t>(static_cast<int>(within + 0.5F));
}

/// A row of chroma, repeated to the width of luma. @return `row` itself where it has that already.
const std::uint8_t* widened(const PlaneView& plane, int y, Row& room) {
  const std::uint8_t* const row = plane.row(y);
  const int width = static_cast<int>(room.size());
  if (plane.width == width) {
    return row;
  }
  const bool halved = 2 * plane.width == width;  // the usual case, without a division
  for (int x = 0; x < width; ++x) {
    room[static_cast<std::size_t>(x)] = row[halved ? x / 2 : x * plane.width / width];
  }
  return room.data();
}

struct RgbRow {
  explicit RgbRow(int width) : r(static_cast<std::size_t>(width)), g(r.size()), b(r.size()) {}

  /// ITU-T T.871 (JFIF), section 7.
  void develop(const std::uint8_t* luma, const std::uint8_t* cb_row, const std::uint8_t* cr_row) {
    for (std::size_t x = 0; x < r.size(); ++x) {
      const auto cb = static_cast<float>(cb_row[x] - 128);
      const auto cr = static_cast<float>(cr_row[x] - 128);
      const auto value = static_cast<float>(luma[x]);
      r[x] = to_byte(value + 1.402F * cr);
      g[x] = to_byte(value - 0.344136F * cb - 0.714136F * cr);
      b[x] = to_byte(value + 1.772F * cb);
    }
  }
  void interleave(std::uint8_t* out) const {
    for (std::size_t x = 0; x < r.size(); ++x, out += 3) {
      out[0] = r[x];
      out[1] = g[x];
      out[2] = b[x];
    }
  }

  // One by one they become vector code; interleaved they do not.
  Row r;
  Row g;
  Row b;
};

}  // namespace

RgbImage to_rgb(const YuvView& yuv) {
  RgbImage rgb(yuv.y.width, yuv.y.height);
  RgbRow row(rgb.width);
  Row cb_room(row.r.size());
  Row cr_room(row.r.size());
  for (int y = 0; y < rgb.height; ++y) {
    const int chroma_y = y * yuv.cb.height / yuv.y.height;
    row.develop(yuv.y.row(y), widened(yuv.cb, chroma_y, cb_room),
                widened(yuv.cr, chroma_y, cr_room));
    row.interleave(rgb.row(y));
  }
  return rgb;
}

}  // namespace wccl
