#include "room/png.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <png.h>

namespace wccl::room {
namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A png_image that is freed whatever happens.
struct Image : png_image {
  Image() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(this); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
};

}  // namespace

Status write_png(const std::filesystem::path& path, const RgbImage& image) {
  Image png;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  std::unique_ptr<std::FILE, Closer> file(std::fopen(path.string().c_str(), "wb"));
  if (!file) {
    return fail(ErrorCode::kIo, fmt::format("cannot write {}", path.string()));
  }
  const bool written =
      png_image_write_to_stdio(&png, file.get(), 0, image.pixels.data(), 0, nullptr) != 0;
  // The disk can be full as late as here.
  const bool closed = std::fclose(file.release()) == 0;
  if (written && closed) {
    return {};
  }
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return fail(ErrorCode::kIo, fmt::format("cannot write {}: {}", path.string(),
                                          written ? "disk full?" : png.message));
}

Result<RgbImage> read_png(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kIo, fmt::format("cannot read {}", path.string()));
  }
  Image png;
  if (png_image_begin_read_from_file(&png, path.string().c_str()) == 0) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{} is not a PNG: {}", path.string(), png.message));
  }
  // Of a few bytes that say so a picture of gigabytes is made.
  constexpr png_uint_32 kMostSide = 1U << 15U;
  constexpr std::uint64_t kMostPixels = 100'000'000;
  if (png.width > kMostSide || png.height > kMostSide ||
      std::uint64_t{png.width} * png.height > kMostPixels) {
    return fail(ErrorCode::kCorrupt, fmt::format("{} is too large a picture", path.string()));
  }
  png.format = PNG_FORMAT_RGB;
  RgbImage image(static_cast<int>(png.width), static_cast<int>(png.height));
  if (png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) == 0) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{} is a torn PNG: {}", path.string(), png.message));
  }
  return image;
}

}  // namespace wccl::room
