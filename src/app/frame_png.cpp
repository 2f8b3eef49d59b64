#include "app/frame_png.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <png.h>

#include "app/write_file.h"

namespace wccl::app {
namespace {

constexpr int kFastest = 1;

void append(png_structp png, png_bytep data, png_size_t n) {
  auto& bytes = *static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(png));
  bytes.insert(bytes.end(), data, data + n);
}

/// @return false when libpng failed, which takes out of memory. No C++ object lives in here:
/// libpng's errors jump over it.
bool compress(const RgbImage& frame, std::vector<std::uint8_t>* bytes) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, bytes, append, nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(frame.width),
               static_cast<png_uint_32>(frame.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, kFastest);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE | PNG_FILTER_UP);
  png_write_info(png, info);
  const auto row_bytes = static_cast<std::size_t>(frame.width) * 3;
  for (int y = 0; y < frame.height; ++y) {
    // libpng keeps the row above only if the first row may be filtered by it.
    if (y > 0) {
      const bool repeats = std::memcmp(frame.row(y), frame.row(y - 1), row_bytes) == 0;
      png_set_filter(png, PNG_FILTER_TYPE_BASE, repeats ? PNG_FILTER_UP : PNG_FILTER_NONE);
    }
    png_write_row(png, frame.row(y));
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

}  // namespace

Status write_frame_png(const std::filesystem::path& path, const RgbImage& frame) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(std::size_t{1} << 18U);
  if (!compress(frame, &bytes)) {
    return fail(ErrorCode::kIo, "out of memory for a frame");
  }
  return write_file(path, std::as_bytes(std::span(bytes)));
}

}  // namespace wccl::app
