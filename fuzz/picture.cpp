// device: JPEGs and PNGs, one by one and one behind the other in a pipe.
#include "device/picture.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <png.h>

#include "device/picture_stream.h"
#include "fuzz/png_chunks.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace device;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

void check_image(const YuvImage& image) {
  require(image.width >= 1 && image.height >= 1);
  require(image.chroma_width >= 1 && image.chroma_width <= image.width);
  require(image.chroma_height >= 1 && image.chroma_height <= image.height);
  const auto area = [](int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  };
  require(image.y.size() == area(image.width, image.height));
  require(image.cb.size() == area(image.chroma_width, image.chroma_height));
  require(image.cr.size() == image.cb.size());
}

/// Told at once, and told while it comes in two parts.
template <class Length>
void check_length(std::span<const std::byte> input, const Length& length) {
  std::size_t from = 0;
  const std::size_t n = length(input, from);
  require(n <= input.size());
  from = 0;
  const std::size_t n_first = length(input.first(input.size() / 2), from);
  require(n_first == 0 || n_first == n);
  require(n_first != 0 || length(input, from) == n);
}

void check_stream(std::span<const std::byte> input) {
  Bytes copy(input.begin(), input.end());
  const std::size_t n_read = copy.size() / 3;
  const std::unique_ptr<std::FILE, Closer> file(
      copy.size() == n_read ? nullptr
                            : ::fmemopen(copy.data() + n_read, copy.size() - n_read, "rb"));
  if (!file) {
    return;
  }
  const auto read = [&file](std::span<std::byte> bytes) {
    return std::fread(bytes.data(), 1, bytes.size(), file.get());
  };
  PictureStream stream("stdin", read,
                       {copy.begin(), copy.begin() + static_cast<std::ptrdiff_t>(n_read)});
  // Each picture or error takes some of the bytes, so that it ends.
  for (std::size_t i = 0; i <= input.size(); ++i) {
    const auto image = stream.next();
    if (!image) {
      return;
    }
    require(image->has_value() || !image->error().message.empty());
  }
  require(false);
}

YuvImage example(int width, int height) {
  YuvImage image(width, height);
  for (std::size_t i = 0; i < image.y.size(); ++i) {
    image.y[i] = static_cast<std::uint8_t>(i * 37);
  }
  std::ranges::fill(image.cb, std::uint8_t{100});
  std::ranges::fill(image.cr, std::uint8_t{150});
  return image;
}

Bytes example_png() {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = 5;
  png.height = 4;
  png.format = PNG_FORMAT_RGB;
  const std::vector<std::uint8_t> pixels(60, 99);
  Bytes bytes(4096);
  png_alloc_size_t n_bytes = bytes.size();
  require(png_image_write_to_memory(&png, bytes.data(), &n_bytes, 0, pixels.data(), 0, nullptr) !=
          0);
  bytes.resize(n_bytes);
  return bytes;
}

void check_picture(std::span<const std::byte> input) {
  if (const auto image = decode_picture(input)) {
    check_image(*image);
    if (const auto jpeg = encode_jpeg(image->view(), 80)) {
      const auto again = decode_jpeg(*jpeg);
      require(again.has_value() && again->width == image->width && again->height == image->height);
    }
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  check_picture(input);
  check_picture(with_chunk_checks(input));
  check_length(input, jpeg_length);
  check_length(input, png_length);
  check_stream(input);
}

std::vector<Bytes> seeds() {
  Bytes jpeg = *encode_jpeg(example(33, 20).view(), 60);
  Bytes png = example_png();
  Bytes both = jpeg;
  both.insert(both.end(), png.begin(), png.end());
  both.insert(both.end(), jpeg.begin(), jpeg.end());
  Bytes large = png;
  large[18] = large[22] = std::byte{0x40};  // of IHDR's sides
  return {std::move(jpeg), std::move(png), std::move(both), std::move(large)};
}

}  // namespace wccl::fuzz
