// phy::Receiver: captures of any size in which the input draws, in squares as large as it likes.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/pictures.h"
#include "fuzz/target.h"
#include "phy/receiver.h"

namespace wccl::fuzz {
namespace {

using namespace phy;

constexpr int kMostSquares = 200;  // a side
constexpr int kMostSquarePx = 9;
constexpr int kMostSide = 400;

/// Side of the seeds' squares: with larger ones nothing is left of the frame's header.
constexpr int kSeedSquarePx = 2;

YuvImage read_picture(Choices& choices) {
  const int columns = 1 + static_cast<int>(choices.below(kMostSquares));
  const int rows = 1 + static_cast<int>(choices.below(kMostSquares));
  const int square = 1 + static_cast<int>(choices.below(kMostSquarePx));
  // The last squares may be cut off.
  const int width = std::clamp(columns * square - static_cast<int>(choices.below(4)), 1, kMostSide);
  const int height = std::clamp(rows * square - static_cast<int>(choices.below(4)), 1, kMostSide);
  const bool is_coloured = choices.coin();
  const auto squares = choices.bytes(static_cast<std::size_t>(columns * rows));
  YuvImage picture(width, height);
  std::ranges::fill(picture.cb, std::uint8_t{128});
  std::ranges::fill(picture.cr, std::uint8_t{128});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto at = static_cast<std::size_t>(y / square * columns + x / square);
      const auto value =
          at < squares.size() ? std::to_integer<std::uint8_t>(squares[at]) : std::uint8_t{0};
      picture.y[static_cast<std::size_t>(y * width + x)] = value;
      if (is_coloured) {
        const auto chroma = static_cast<std::size_t>(y / 2 * picture.chroma_width + x / 2);
        picture.cb[chroma] = static_cast<std::uint8_t>(value * 3);
        picture.cr[chroma] = static_cast<std::uint8_t>(value * 5);
      }
    }
  }
  return picture;
}

Bytes squares_of(const YuvImage& picture, int n_captures) {
  ByteWriter writer;
  for (int i = 0; i < n_captures; ++i) {
    const int columns = picture.width / kSeedSquarePx;
    const int rows = picture.height / kSeedSquarePx;
    writer.put(static_cast<std::uint8_t>(columns - 1));
    writer.put(static_cast<std::uint8_t>(rows - 1));
    writer.put(static_cast<std::uint8_t>(kSeedSquarePx - 1));
    writer.put(std::uint16_t{0});
    writer.put(std::uint8_t{0});
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        const int at = (row * picture.width + column) * kSeedSquarePx;
        writer.put(picture.y[static_cast<std::size_t>(at)]);
      }
    }
  }
  return writer.take();
}

}  // namespace

void check(std::span<const std::byte> input) {
  constexpr int kMostCaptures = 3;
  Choices choices(input);
  Receiver receiver;
  Instant now{};
  for (int i = 0; i < kMostCaptures && choices.any_left(); ++i) {
    const YuvImage picture = read_picture(choices);
    now += std::chrono::milliseconds(33);
    const CaptureReception reception = receiver.receive(picture.view(), now);
    require(reception.screens.size() <= static_cast<std::size_t>(kMaxNodes));
    for (const ScreenReception& screen : reception.screens) {
      require(screen.node <= kUnnumberedNode && std::isfinite(screen.width_share));
    }
  }
}

std::vector<Bytes> seeds() {
  return {squares_of(show(0, 1, 0).picture, 1), squares_of(show(5, 2, 0).picture, 2),
          Bytes(200, std::byte{0xFF})};
}

}  // namespace wccl::fuzz
