#include "device/picture_stream.h"

#include <cstdio>
#include <initializer_list>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace wccl::device {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) {
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

std::size_t jpeg_length(std::span<const std::byte> bytes) {
  std::size_t from = 0;
  return device::jpeg_length(bytes, from);
}

std::size_t png_length(std::span<const std::byte> bytes) {
  std::size_t from = 0;
  return device::png_length(bytes, from);
}

/// The same when it comes byte by byte.
template <class Length>
std::size_t length_in_steps(std::span<const std::byte> bytes, const Length& length) {
  std::size_t from = 0;
  for (std::size_t n = 0; n <= bytes.size(); ++n) {
    if (const std::size_t end = length(bytes.first(n), from); end != 0) {
      return end;
    }
  }
  return 0;
}

TEST(JpegLength, EndsAtItsOwnEndMarker) {
  // A segment of 6 bytes that holds an end marker, a scan with a stuffed byte and a restart.
  const auto jpeg =
      bytes_of({0xff, 0xd8, 0xff, 0xe1, 0, 6,    0xff, 0xd9, 1,    2,    0xff, 0xda, 0,
                2,    7,    0xff, 0,    8, 0xff, 0xd0, 9,    0xff, 0xd9, 0xff, 0xd8});
  EXPECT_EQ(jpeg_length(jpeg), jpeg.size() - 2);
  EXPECT_EQ(length_in_steps(jpeg, device::jpeg_length), jpeg.size() - 2);
}

TEST(JpegLength, IsUnknownUntilTheEndIsThere) {
  const auto jpeg = bytes_of({0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xda, 0, 2, 7, 0xff, 0xd9});
  for (std::size_t n = 0; n < jpeg.size(); ++n) {
    EXPECT_EQ(jpeg_length(std::span(jpeg).first(n)), 0U) << n;
  }
  EXPECT_EQ(jpeg_length(jpeg), jpeg.size());
}

TEST(PngLength, EndsWithItsLastChunk) {
  const auto png =
      bytes_of({0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0,   0,   0,   1,   'I', 'D', 'A', 'T', 5,
                0,    0,   0,   0,   0,  0,  0,  0,  'I', 'E', 'N', 'D', 1,   2,   3,   4,   99});
  EXPECT_EQ(png_length(png), png.size() - 1);
  EXPECT_EQ(length_in_steps(png, device::png_length), png.size() - 1);
  EXPECT_EQ(png_length(std::span(png).first(png.size() - 2)), 0U);
}

TEST(PngLength, HugeChunkDoesNotRunAway) {
  const auto png = bytes_of(
      {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 255, 255, 255, 255, 'I', 'D', 'A', 'T', 5, 0, 0, 0, 0});
  EXPECT_EQ(png_length(png), 0U);
}

device::ReadBytes from(std::FILE* file) {
  return [file](std::span<std::byte> bytes) {
    return std::fread(bytes.data(), 1, bytes.size(), file);
  };
}

// With a look at all that has come for each piece that comes this took minutes.
TEST(PictureStream, APictureWithoutEndIsLookedThroughOnce) {
  std::FILE* const file = std::tmpfile();
  const std::vector<char> nothing(std::size_t{1} << 20U);
  std::fputs("\xff\xd8\xff", file);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(std::fwrite(nothing.data(), 1, nothing.size(), file), nothing.size());
  }
  std::rewind(file);
  PictureStream stream("stdin", from(file), {});
  const auto first = stream.next();
  ASSERT_TRUE(first);
  EXPECT_FALSE(*first);
  EXPECT_FALSE(stream.next());
  std::fclose(file);
}

TEST(PictureStream, RubbishIsAnErrorAndThenTheEnd) {
  std::FILE* const file = std::tmpfile();
  std::fputs("this is no picture at all", file);
  std::rewind(file);
  PictureStream stream("stdin", from(file), {});
  const auto first = stream.next();
  ASSERT_TRUE(first);
  EXPECT_FALSE(*first);
  EXPECT_FALSE(stream.next());
  std::fclose(file);
}

}  // namespace
}  // namespace wccl::device
