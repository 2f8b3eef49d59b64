#include "device/picture_stream.h"

#include <algorithm>

#include <fmt/format.h>

#include "device/picture.h"

namespace wccl::device {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 18U;
constexpr std::size_t kMostPictureBytes = std::size_t{1} << 28U;

unsigned at(std::span<const std::byte> bytes, std::size_t i) {
  return std::to_integer<unsigned>(bytes[i]);
}

}  // namespace

std::size_t jpeg_length(std::span<const std::byte> bytes, std::size_t& from) {
  constexpr unsigned kEnd = 0xd9;
  constexpr std::size_t kStart = 2;
  std::size_t& i = from;
  i = std::max(i, kStart);
  while (i + 1 < bytes.size()) {
    if (at(bytes, i) != 0xff) {
      ++i;  // of a scan; or rubbish, which the decoder will judge
      continue;
    }
    const unsigned marker = at(bytes, i + 1);
    if (marker == kEnd) {
      return i + 2;
    }
    const bool bare = marker == 0 || marker == 0xff || (marker >= 0xd0 && marker <= 0xd8);
    if (bare) {
      i += marker == 0xff ? 1 : 2;
      continue;
    }
    if (i + 3 >= bytes.size()) {
      return 0;
    }
    // Segments say how long they are: a thumbnail's end in one of them is no end of ours.
    i += 2 + (at(bytes, i + 2) << 8U | at(bytes, i + 3));
  }
  return 0;
}

std::size_t png_length(std::span<const std::byte> bytes, std::size_t& from) {
  constexpr std::size_t kSignature = 8;
  constexpr std::size_t kAround = 12;  // length, type and CRC of a chunk
  std::size_t& i = from;
  i = std::max(i, kSignature);
  while (i + kAround <= bytes.size()) {
    const std::size_t n = std::size_t{at(bytes, i)} << 24U | at(bytes, i + 1) << 16U |
                          at(bytes, i + 2) << 8U | at(bytes, i + 3);
    const bool end = at(bytes, i + 4) == 'I' && at(bytes, i + 5) == 'E' &&
                     at(bytes, i + 6) == 'N' && at(bytes, i + 7) == 'D';
    if (end) {
      return i + kAround + n <= bytes.size() ? i + kAround + n : 0;
    }
    i += kAround + n;
  }
  return 0;
}

bool PictureStream::read_more() {
  if (bytes_.size() > kMostPictureBytes) {
    return false;
  }
  const std::size_t before = bytes_.size();
  bytes_.resize(before + kReadBytes);
  bytes_.resize(before + read_(std::span(bytes_).subspan(before)));
  return bytes_.size() > before;
}

std::optional<Result<YuvImage>> PictureStream::next() {
  std::size_t length = 0;
  looked_at_ = 0;
  while (length == 0) {
    const PictureKind kind = kind_of(bytes_);
    if (kind == PictureKind::kJpeg) {
      length = jpeg_length(bytes_, looked_at_);
    }
    if (kind == PictureKind::kPng) {
      length = png_length(bytes_, looked_at_);
    }
    if (kind == PictureKind::kNone && bytes_.size() >= 8) {
      bytes_.clear();
      return fail(ErrorCode::kCorrupt,
                  fmt::format("{} went on with something that is no picture", name_));
    }
    if (length == 0 && !read_more()) {
      break;
    }
  }
  if (length == 0) {
    if (bytes_.empty()) {
      return std::nullopt;
    }
    bytes_.clear();
    return fail(ErrorCode::kCorrupt, fmt::format("{} ended within a picture", name_));
  }
  auto image = decode_picture(std::span(bytes_).first(length));
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(length));
  return image;
}

}  // namespace wccl::device
