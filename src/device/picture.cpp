#include "device/picture.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <png.h>
#include <turbojpeg.h>

namespace wccl::device {
namespace {

constexpr int kMostSide = 1 << 15;
constexpr std::int64_t kMostPixels = 100'000'000;
constexpr std::size_t kMostPictureBytes = std::size_t{1} << 28U;

Status check_size(std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1) {
    return fail(ErrorCode::kCorrupt, "the picture is empty");
  }
  if (width > kMostSide || height > kMostSide || width * height > kMostPixels) {
    return fail(ErrorCode::kCorrupt, fmt::format("{} x {} is too large a picture", width, height));
  }
  return {};
}

struct JpegCloser {
  void operator()(void* handle) const { tjDestroy(handle); }
};

struct JpegHead {
  int width = 0;
  int height = 0;
  int sampling = 0;
};

Result<JpegHead> read_head(void* handle, std::span<const std::byte> file) {
  JpegHead head;
  int colours = 0;
  if (tjDecompressHeader3(handle, reinterpret_cast<const unsigned char*>(file.data()), file.size(),
                          &head.width, &head.height, &head.sampling, &colours) != 0) {
    return fail(ErrorCode::kCorrupt, fmt::format("not a JPEG: {}", tjGetErrorStr2(handle)));
  }
  if (auto status = check_size(head.width, head.height); !status) {
    return tl::make_unexpected(status.error());
  }
  if ((colours != TJCS_YCbCr && colours != TJCS_GRAY) || head.sampling < 0 ||
      head.sampling >= TJ_NUMSAMP) {
    return fail(ErrorCode::kCorrupt, "a JPEG of a colour space that cameras do not use");
  }
  return head;
}

/// One plane as turbojpeg pads it, cut to `width`.
void crop(const std::vector<std::uint8_t>& from,
          int stride,
          int width,
          int height,
          std::vector<std::uint8_t>& to) {
  to.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    std::memcpy(to.data() + static_cast<std::ptrdiff_t>(y) * width,
                from.data() + static_cast<std::ptrdiff_t>(y) * stride,
                static_cast<std::size_t>(width));
  }
}

/// The sampling of a picture's chroma in turbojpeg's words; below 0 for one that it does not know.
int sampling_of(const YuvView& picture) {
  for (const int sampling : {TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440}) {
    const int step_x = tjMCUWidth[sampling] / 8;
    const int step_y = tjMCUHeight[sampling] / 8;
    if (picture.cb.width == (picture.y.width + step_x - 1) / step_x &&
        picture.cb.height == (picture.y.height + step_y - 1) / step_y) {
      return sampling;
    }
  }
  return -1;
}

/// A plane of the size that turbojpeg reads, its last column and row repeated.
std::vector<std::uint8_t> padded(const PlaneView& plane, int width, int height) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* const row = plane.row(std::min(y, plane.height - 1));
    bytes.insert(bytes.end(), row, row + plane.width);
    bytes.insert(bytes.end(), static_cast<std::size_t>(width - plane.width), row[plane.width - 1]);
  }
  return bytes;
}

struct TurboFree {
  void operator()(unsigned char* bytes) const { tjFree(bytes); }
};

int subsampled(int size, int full, int mcu) {
  return (size * full + mcu - 1) / mcu;
}

struct Image : png_image {
  Image() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(this); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
};

std::uint8_t to_byte(int scaled) {
  return static_cast<std::uint8_t>(std::clamp((scaled + (1 << 15)) >> 16, 0, 255));
}

/// JFIF's matrix in 16-bit fixed point.
YuvImage to_yuv444(const std::vector<std::uint8_t>& rgb, int width, int height) {
  YuvImage image;
  image.width = image.chroma_width = width;
  image.height = image.chroma_height = height;
  const std::size_t n = rgb.size() / 3;
  image.y.resize(n);
  image.cb.resize(n);
  image.cr.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int r = rgb[3 * i];
    const int g = rgb[3 * i + 1];
    const int b = rgb[3 * i + 2];
    image.y[i] = to_byte(19595 * r + 38470 * g + 7471 * b);
    image.cb[i] = to_byte(-11059 * r - 21709 * g + 32768 * b + (128 << 16));
    image.cr[i] = to_byte(32768 * r - 27439 * g - 5329 * b + (128 << 16));
  }
  return image;
}

}  // namespace

PictureKind kind_of(std::span<const std::byte> first_bytes) {
  constexpr std::array<unsigned char, 3> kJpegStart{0xff, 0xd8, 0xff};
  constexpr std::array<unsigned char, 8> kPngStart{0x89, 'P', 'N', 'G', 13, 10, 26, 10};
  const auto starts_with = [first_bytes](std::span<const unsigned char> magic) {
    return first_bytes.size() >= magic.size() &&
           std::memcmp(first_bytes.data(), magic.data(), magic.size()) == 0;
  };
  if (starts_with(kJpegStart)) {
    return PictureKind::kJpeg;
  }
  return starts_with(kPngStart) ? PictureKind::kPng : PictureKind::kNone;
}

Status check_jpeg(std::span<const std::byte> file) {
  const std::unique_ptr<void, JpegCloser> handle(tjInitDecompress());
  const auto head = read_head(handle.get(), file);
  return head ? Status{} : tl::make_unexpected(head.error());
}

Result<YuvImage> decode_jpeg(std::span<const std::byte> file) {
  const std::unique_ptr<void, JpegCloser> handle(tjInitDecompress());
  const auto* const bytes = reinterpret_cast<const unsigned char*>(file.data());
  const auto head = read_head(handle.get(), file);
  if (!head) {
    return tl::make_unexpected(head.error());
  }
  const auto [width, height, sampling] = *head;
  const bool grey = sampling == TJSAMP_GRAY;
  std::array<std::vector<std::uint8_t>, 3> planes;
  std::array<unsigned char*, 3> pointers{};
  std::array<int, 3> strides{};
  for (std::size_t i = 0; i < (grey ? 1 : 3); ++i) {
    strides[i] = tjPlaneWidth(static_cast<int>(i), width, sampling);
    const int rows = tjPlaneHeight(static_cast<int>(i), height, sampling);
    planes[i].resize(static_cast<std::size_t>(strides[i]) * static_cast<std::size_t>(rows));
    pointers[i] = planes[i].data();
  }
  if (tjDecompressToYUVPlanes(handle.get(), bytes, file.size(), pointers.data(), 0, strides.data(),
                              0, 0) != 0 &&
      tjGetErrorCode(handle.get()) == TJERR_FATAL) {
    return fail(ErrorCode::kCorrupt, fmt::format("a torn JPEG: {}", tjGetErrorStr2(handle.get())));
  }
  YuvImage image;
  image.width = width;
  image.height = height;
  const int mcu_x = grey ? 16 : tjMCUWidth[sampling];
  const int mcu_y = grey ? 16 : tjMCUHeight[sampling];
  image.chroma_width = subsampled(width, 8, mcu_x);
  image.chroma_height = subsampled(height, 8, mcu_y);
  crop(planes[0], strides[0], width, height, image.y);
  if (grey) {
    image.cb.assign(static_cast<std::size_t>(image.chroma_width) *
                        static_cast<std::size_t>(image.chroma_height),
                    128);
    image.cr = image.cb;
    return image;
  }
  crop(planes[1], strides[1], image.chroma_width, image.chroma_height, image.cb);
  crop(planes[2], strides[2], image.chroma_width, image.chroma_height, image.cr);
  return image;
}

Result<std::vector<std::byte>> encode_jpeg(const YuvView& picture, int quality) {
  const int sampling = sampling_of(picture);
  if (sampling < 0) {
    return fail(ErrorCode::kUnsupported, "no JPEG has chroma of that size");
  }
  const int width = picture.y.width;
  const int height = picture.y.height;
  const std::array<const PlaneView*, 3> planes{&picture.y, &picture.cb, &picture.cr};
  std::array<std::vector<std::uint8_t>, 3> copies;
  std::array<const unsigned char*, 3> pointers{};
  std::array<int, 3> strides{};
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const int padded_width = tjPlaneWidth(static_cast<int>(i), width, sampling);
    const int padded_height = tjPlaneHeight(static_cast<int>(i), height, sampling);
    pointers[i] = planes[i]->data;
    strides[i] = planes[i]->stride;
    if (padded_width != planes[i]->width || padded_height != planes[i]->height) {
      copies[i] = padded(*planes[i], padded_width, padded_height);
      pointers[i] = copies[i].data();
      strides[i] = padded_width;
    }
  }
  const std::unique_ptr<void, JpegCloser> handle(tjInitCompress());
  unsigned char* bytes = nullptr;
  unsigned long n_bytes = 0;
  const int failed = tjCompressFromYUVPlanes(handle.get(), pointers.data(), width, strides.data(),
                                             height, sampling, &bytes, &n_bytes, quality, 0);
  const std::unique_ptr<unsigned char, TurboFree> owner(bytes);
  if (failed != 0) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot make a JPEG: {}", tjGetErrorStr2(handle.get())));
  }
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes);
  return std::vector<std::byte>(begin, begin + n_bytes);
}

Result<YuvImage> decode_png(std::span<const std::byte> file) {
  Image png;
  if (png_image_begin_read_from_memory(&png, file.data(), file.size()) == 0) {
    return fail(ErrorCode::kCorrupt, fmt::format("not a PNG: {}", png.message));
  }
  if (auto status = check_size(png.width, png.height); !status) {
    return tl::make_unexpected(status.error());
  }
  png.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, rgb.data(), 0, nullptr) == 0) {
    return fail(ErrorCode::kCorrupt, fmt::format("a torn PNG: {}", png.message));
  }
  return to_yuv444(rgb, static_cast<int>(png.width), static_cast<int>(png.height));
}

Result<YuvImage> decode_picture(std::span<const std::byte> file) {
  switch (kind_of(file)) {
    case PictureKind::kJpeg:
      return decode_jpeg(file);
    case PictureKind::kPng:
      return decode_png(file);
    case PictureKind::kNone:
      break;
  }
  return fail(ErrorCode::kCorrupt, "neither a JPEG nor a PNG");
}

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                         std::size_t most_bytes) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return fail(ErrorCode::kNotFound, fmt::format("there is no {}", path.string()));
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kIo, fmt::format("{} is not a file", path.string()));
  }
  const auto n_bytes = std::filesystem::file_size(path, error);
  if (error) {
    return fail(ErrorCode::kIo, fmt::format("cannot read {}: {}", path.string(), error.message()));
  }
  if (n_bytes > most_bytes) {
    return fail(ErrorCode::kIo, fmt::format("{} is too large: {} bytes, and {} are the most",
                                            path.string(), n_bytes, most_bytes));
  }
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  }
  std::vector<std::byte> bytes(n_bytes);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  // Files of the kernel say that they have no bytes, and have some.
  const bool whole = bytes.size() == n_bytes && std::fgetc(file) == EOF && std::ferror(file) == 0;
  static_cast<void>(std::fclose(file));
  if (!whole) {
    return fail(ErrorCode::kIo, fmt::format("cannot read all of {}", path.string()));
  }
  return bytes;
}

Result<YuvImage> read_picture(const std::filesystem::path& path) {
  const auto bytes = read_file(path, kMostPictureBytes);
  if (!bytes) {
    return tl::make_unexpected(bytes.error());
  }
  auto image = decode_picture(*bytes);
  if (!image) {
    return fail(ErrorCode::kCorrupt, fmt::format("{}: {}", path.string(), image.error().message));
  }
  return image;
}

}  // namespace wccl::device
