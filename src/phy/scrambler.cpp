#include "phy/scrambler.h"

#include "base/splitmix.h"

namespace wccl::phy {
namespace {

constexpr std::size_t kWordBits = 64;

/// Calls flip(i) with each index below n at which the keystream is 1.
template <class Flip>
void for_each_one(std::uint64_t first_index, std::size_t n, Flip flip) {
  for (std::size_t first = 0; first < n; first += kWordBits) {
    std::uint64_t word = splitmix64(first_index + first / kWordBits);
    for (std::size_t i = first; i < n && i < first + kWordBits; ++i, word >>= 1) {
      flip(i, (word & 1U) != 0);
    }
  }
}

}  // namespace

Scrambler::Scrambler(std::uint8_t node, std::uint16_t sequence, int channel)
    // Each (node, sequence, channel) has 2^32 words of its own.
    : first_index_((static_cast<std::uint64_t>(sequence) << 48) |
                   (static_cast<std::uint64_t>(node) << 40) |
                   (static_cast<std::uint64_t>(channel) << 32)) {}

std::uint8_t Scrambler::bit(std::size_t place) const {
  return static_cast<std::uint8_t>(
      (splitmix64(first_index_ + place / kWordBits) >> (place % kWordBits)) & 1U);
}

void Scrambler::apply(std::span<std::uint8_t> bits) const {
  for_each_one(first_index_, bits.size(),
               [&](std::size_t i, bool one) { bits[i] ^= static_cast<std::uint8_t>(one); });
}

void Scrambler::apply(std::span<Llr> llrs) const {
  for_each_one(first_index_, llrs.size(), [&](std::size_t i, bool one) {
    llrs[i] = static_cast<Llr>(one ? -llrs[i] : llrs[i]);
  });
}

}  // namespace wccl::phy
