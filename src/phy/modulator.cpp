#include "phy/modulator.h"

namespace wccl::phy {

int level_of(std::span<const std::uint8_t> bits) {
  unsigned binary = 0;
  unsigned previous = 0;
  for (const std::uint8_t bit : bits) {
    previous ^= bit;
    binary = (binary << 1U) | previous;
  }
  return (1 << bits.size()) - 1 - static_cast<int>(binary);
}

}  // namespace wccl::phy
