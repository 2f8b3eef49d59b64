#include "device/packed_rgb.h"

#include <cstddef>
#include <cstdint>

namespace wccl::device {
namespace {

// ITU-T T.871 (JFIF), section 7, in steps of 2^-16. Each row sums to 1 or to 0, so that grey is
// grey.
constexpr int kLumaOfRed = 19595;
constexpr int kLumaOfGreen = 38470;
constexpr int kLumaOfBlue = 7471;
constexpr int kCbOfRed = -11059;
constexpr int kCbOfGreen = -21709;
constexpr int kCrOfGreen = -27439;
constexpr int kCrOfBlue = -5329;
constexpr int kHalf = 32768;  // also Cb of blue and Cr of red
constexpr int kGrey = 128 << 16;

struct RowOfPlanes {
  std::uint8_t* y;
  std::uint8_t* cb;
  std::uint8_t* cr;
};

/// @param red, blue  Which of a pixel's four bytes they are.
template <std::size_t red, std::size_t blue>
void convert_row(const std::uint8_t* pixels, int width, const RowOfPlanes& row) {
  std::uint8_t* const y = row.y;
  std::uint8_t* const cb = row.cb;
  std::uint8_t* const cr = row.cr;
  for (std::ptrdiff_t x = 0; x < width; ++x) {
    const std::uint8_t* const pixel = pixels + 4 * x;
    const int r = pixel[red];
    const int g = pixel[1];
    const int b = pixel[blue];
    // Pure blue would round to Cb = 256: hence one step less than a half.
    y[x] = static_cast<std::uint8_t>(
        (kLumaOfRed * r + kLumaOfGreen * g + kLumaOfBlue * b + kHalf) >> 16);
    cb[x] = static_cast<std::uint8_t>(
        (kCbOfRed * r + kCbOfGreen * g + kHalf * b + kGrey + kHalf - 1) >> 16);
    cr[x] = static_cast<std::uint8_t>(
        (kHalf * r + kCrOfGreen * g + kCrOfBlue * b + kGrey + kHalf - 1) >> 16);
  }
}

bool blue_first(int format) {
  return format == AV_PIX_FMT_BGR0 || format == AV_PIX_FMT_BGRA;
}

}  // namespace

bool is_packed_rgb(int format) {
  return blue_first(format) || format == AV_PIX_FMT_RGB0 || format == AV_PIX_FMT_RGBA;
}

void packed_rgb_to_planes(const AVFrame& frame, AVFrame& planes) {
  const auto convert = blue_first(frame.format) ? convert_row<2, 0> : convert_row<0, 2>;
  for (std::ptrdiff_t y = 0; y < frame.height; ++y) {
    convert(frame.data[0] + y * frame.linesize[0], frame.width,
            {planes.data[0] + y * planes.linesize[0], planes.data[1] + y * planes.linesize[1],
             planes.data[2] + y * planes.linesize[2]});
  }
}

}  // namespace wccl::device
