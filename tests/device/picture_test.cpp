#include "device/picture.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>
#include <turbojpeg.h>

#include "base/rng.h"

namespace wccl::device {
namespace {

/// Smooth colours that differ all over the picture.
std::vector<unsigned char> make_rgb(int width, int height) {
  std::vector<unsigned char> rgb;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      rgb.push_back(static_cast<unsigned char>(40 + 150 * x / width));
      rgb.push_back(static_cast<unsigned char>(60 + 120 * y / height));
      rgb.push_back(static_cast<unsigned char>(200 - 100 * x / width));
    }
  }
  return rgb;
}

std::vector<std::byte> make_jpeg(int width, int height, int sampling) {
  const auto rgb = make_rgb(width, height);
  unsigned char* jpeg = nullptr;
  unsigned long n = 0;
  tjhandle handle = tjInitCompress();
  tjCompress2(handle, rgb.data(), width, 0, height, TJPF_RGB, &jpeg, &n, sampling, 95, 0);
  const auto bytes = std::as_bytes(std::span(jpeg, n));
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  tjFree(jpeg);
  tjDestroy(handle);
  return file;
}

std::vector<std::byte> make_png(int width, int height) {
  const auto rgb = make_rgb(width, height);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(width);
  png.height = static_cast<png_uint_32>(height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t n = 0;
  png_image_write_to_memory(&png, nullptr, &n, 0, rgb.data(), 0, nullptr);
  std::vector<std::byte> file(n);
  png_image_write_to_memory(&png, file.data(), &n, 0, rgb.data(), 0, nullptr);
  return file;
}

void expect_colours(const YuvImage& image, int width, int height) {
  ASSERT_EQ(image.width, width);
  ASSERT_EQ(image.height, height);
  ASSERT_EQ(image.y.size(), static_cast<std::size_t>(width * height));
  const auto rgb = make_rgb(width, height);
  const RgbImage back = to_rgb(image.view());
  for (std::size_t i = 0; i < rgb.size(); i += 97) {
    ASSERT_NEAR(back.pixels[i], rgb[i], 12) << i;
  }
}

class JpegSampling : public testing::TestWithParam<std::tuple<int, std::pair<int, int>>> {};

TEST_P(JpegSampling, PlanesBearTheColours) {
  const auto [sampling, size] = GetParam();
  const auto image = decode_picture(make_jpeg(size.first, size.second, sampling));
  ASSERT_TRUE(image) << image.error().message;
  expect_colours(*image, size.first, size.second);
}

INSTANTIATE_TEST_SUITE_P(
    AllKinds,
    JpegSampling,
    testing::Combine(testing::Values(TJSAMP_420, TJSAMP_422, TJSAMP_444),
                     testing::Values(std::pair{320, 200}, std::pair{321, 203}, std::pair{64, 65})));

TEST(Jpeg, OfGreyHasNeutralChroma) {
  const auto image = decode_picture(make_jpeg(100, 50, TJSAMP_GRAY));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->width, 100);
  EXPECT_EQ(image->cb.size(), static_cast<std::size_t>(image->chroma_width * image->chroma_height));
  EXPECT_THAT(image->cr, testing::Each(128));
}

TEST(Jpeg, CutOffShowsWhatThereIs) {
  auto file = make_jpeg(320, 200, TJSAMP_420);
  file.resize(file.size() / 2);
  EXPECT_TRUE(decode_picture(file));
}

TEST(Png, BearsTheColours) {
  const auto image = decode_picture(make_png(321, 203));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->chroma_width, 321);
  expect_colours(*image, 321, 203);
}

TEST(Png, CutOffIsAnError) {
  auto file = make_png(320, 200);
  file.resize(file.size() / 2);
  EXPECT_FALSE(decode_picture(file));
}

TEST(Picture, HostileBytesAreAnErrorOrAPicture) {
  Rng rng(1);
  for (const auto& whole : {make_jpeg(64, 48, TJSAMP_420), make_png(64, 48)}) {
    for (int i = 0; i < 300; ++i) {
      auto file = whole;
      for (int flips = 0; flips < 4; ++flips) {
        file[rng.below(file.size())] ^= static_cast<std::byte>(1U << rng.below(8));
      }
      const auto image = decode_picture(file);
      if (!image) {
        continue;
      }
      EXPECT_EQ(image->y.size(), static_cast<std::size_t>(image->width * image->height));
    }
  }
  EXPECT_FALSE(decode_picture({}));
}

TEST(Picture, MissingFilesAreNamed) {
  const auto image = read_picture("/nowhere/at/all.jpg");
  ASSERT_FALSE(image);
  EXPECT_THAT(image.error().message, testing::HasSubstr("/nowhere/at/all.jpg"));
}

}  // namespace
}  // namespace wccl::device
