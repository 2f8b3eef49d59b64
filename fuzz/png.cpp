// room::read_png(): pictures of frames.
#include "room/png.h"

#include <cstdint>
#include <string>
#include <utility>

#include "base/rng.h"
#include "fuzz/png_chunks.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {

namespace {

void check_file(std::span<const std::byte> input) {
  const auto path = scratch() / "input.png";
  put_file(path, input);
  const auto image = room::read_png(path);
  if (!image) {
    require(!image.error().message.empty());
    return;
  }
  require(image->width >= 1 && image->height >= 1);
  require(image->pixels.size() ==
          static_cast<std::size_t>(image->width) * static_cast<std::size_t>(image->height) * 3);
}

}  // namespace

void check(std::span<const std::byte> input) {
  check_file(input);
  check_file(with_chunk_checks(input));
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const int side : {1, 9}) {
    RgbImage image(side, 2 * side);
    Rng rng(7);
    for (auto& value : image.pixels) {
      value = static_cast<std::uint8_t>(rng.next());
    }
    const auto path = scratch() / "seed.png";
    require(room::write_png(path, image).has_value());
    const std::string text = get_file(path);
    const auto bytes = std::as_bytes(std::span(text));
    seeds.emplace_back(bytes.begin(), bytes.end());
    // Width and height in IHDR.
    Bytes large = seeds.back();
    large[18] = large[22] = std::byte{0x80};
    seeds.push_back(std::move(large));
  }
  return seeds;
}

}  // namespace wccl::fuzz
