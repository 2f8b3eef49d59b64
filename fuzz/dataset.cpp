// train::load_mnist(): the four IDX files of a folder.
#include "train/dataset.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace train;

constexpr std::array<std::string_view, 4> kFiles{
    "train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte"};
constexpr int kSide = 28;

void put_big_endian(ByteWriter& writer, std::uint32_t value) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    writer.put(static_cast<std::uint8_t>(value >> shift));
  }
}

/// @param n_pixels  What is behind the header: too long an input if it were in it.
Bytes read_file(Choices& choices) {
  ByteWriter writer;
  writer.put_bytes(choices.bytes(choices.byte()));
  writer.put_bytes(Bytes(choices.number<std::uint16_t>() % (3 * kSide * kSide), std::byte{5}));
  return writer.take();
}

void check_images(const LabelledImages& images) {
  require(images.n_images >= 1 && images.rows == kSide && images.columns == kSide);
  const auto n = static_cast<std::size_t>(images.n_images);
  require(images.labels.size() == n && images.pixels.size() == n * kSide * kSide);
  require(std::ranges::all_of(images.labels, [](std::uint8_t label) { return label < 10; }));
}

}  // namespace

void check(std::span<const std::byte> input) {
  Choices choices(input);
  for (const std::string_view name : kFiles) {
    put_file(scratch() / name, read_file(choices));
  }
  const auto mnist = load_mnist(scratch());
  if (!mnist) {
    require(!mnist.error().message.empty());
    return;
  }
  check_images(mnist->train);
  check_images(mnist->test);
}

std::vector<Bytes> seeds() {
  ByteWriter writer;
  for (int pair = 0; pair < 2; ++pair) {
    writer.put(std::uint8_t{16});
    for (const std::uint32_t word : {0x803U, 2U, 28U, 28U}) {
      put_big_endian(writer, word);
    }
    writer.put(std::uint16_t{2 * kSide * kSide});
    writer.put(std::uint8_t{10});
    for (const std::uint32_t word : {0x801U, 2U}) {
      put_big_endian(writer, word);
    }
    writer.put(std::uint16_t{0x0907});
    writer.put(std::uint16_t{0});
  }
  return {writer.take()};
}

}  // namespace wccl::fuzz
