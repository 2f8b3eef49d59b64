#include "fuzz/mutation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace wccl::fuzz {
namespace {

constexpr std::size_t kMostChanges = 8;
constexpr std::size_t kMostNewBytes = 64;
// Where lengths and counts go wrong.
constexpr std::array<std::uint64_t, 12> kTellingNumbers{
    0,      1,      0x7F,       0x80,       0xFF,       0x7FFF,
    0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF};

struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::size_t place_in(const Bytes& input, Rng& rng) {
  return static_cast<std::size_t>(rng.below(input.size()));
}

/// Mostly short, and never empty unless the input is.
Piece piece_of(const Bytes& input, Rng& rng) {
  if (input.empty()) {
    return {};
  }
  const std::size_t begin = place_in(input, rng);
  const std::size_t most = rng.below(4) == 0 ? input.size() : 8;
  return {begin, std::min(input.size(), begin + 1 + static_cast<std::size_t>(rng.below(most)))};
}

void put_telling_number(Bytes& input, Rng& rng) {
  const std::size_t at = place_in(input, rng);
  const std::uint64_t number = kTellingNumbers[rng.below(kTellingNumbers.size())];
  const std::size_t width = std::size_t{1} << rng.below(4);
  const bool high_first = rng.below(2) == 0;
  for (std::size_t i = 0; i < std::min(width, input.size() - at); ++i) {
    const std::size_t shift = 8 * (high_first ? width - 1 - i : i);
    input[at + i] = static_cast<std::byte>(number >> shift);
  }
}

void insert(Bytes& input, std::span<const std::byte> bytes, Rng& rng) {
  const auto at = static_cast<std::ptrdiff_t>(rng.below(input.size() + 1));
  input.insert(input.begin() + at, bytes.begin(), bytes.end());
}

void insert_noise(Bytes& input, Rng& rng) {
  Bytes noise(1 + static_cast<std::size_t>(rng.below(kMostNewBytes)));
  const bool all_alike = rng.below(2) == 0;
  const auto byte = static_cast<std::byte>(rng.next());
  for (std::byte& each : noise) {
    each = all_alike ? byte : static_cast<std::byte>(rng.next());
  }
  insert(input, noise, rng);
}

void insert_piece_of(const Bytes& donor, Bytes& input, Rng& rng) {
  const Piece piece = piece_of(donor, rng);
  const Bytes copy(donor.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                   donor.begin() + static_cast<std::ptrdiff_t>(piece.end));
  insert(input, copy, rng);
}

void change(Bytes& input, std::span<const Bytes> seeds, Rng& rng) {
  const std::uint64_t kind = input.empty() ? 4 : rng.below(8);
  switch (kind) {
    case 0:
    case 1:
      input[place_in(input, rng)] ^= static_cast<std::byte>(1U << rng.below(8));
      break;
    case 2:
      input[place_in(input, rng)] = static_cast<std::byte>(rng.next());
      break;
    case 3:
      put_telling_number(input, rng);
      break;
    case 4:
      insert_noise(input, rng);
      break;
    case 5: {
      const Piece piece = piece_of(input, rng);
      input.erase(input.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                  input.begin() + static_cast<std::ptrdiff_t>(piece.end));
      break;
    }
    case 6:
      insert_piece_of(Bytes(input), input, rng);
      break;
    default:
      insert_piece_of(seeds[rng.below(seeds.size())], input, rng);
      break;
  }
}

}  // namespace

Bytes mutate(std::span<const Bytes> seeds, Rng& rng) {
  Bytes input = seeds[rng.below(seeds.size())];
  for (std::uint64_t n = 1 + rng.below(kMostChanges); n > 0; --n) {
    change(input, seeds, rng);
  }
  return input;
}

}  // namespace wccl::fuzz
