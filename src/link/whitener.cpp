#include "link/whitener.h"

#include <cstdint>

namespace wccl::link {

void whiten(std::span<std::byte> payload) {
  // xorshift32 (Marsaglia, "Xorshift RNGs", 2003).
  std::uint32_t state = 0x9E3779B9U;
  for (std::byte& byte : payload) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    byte ^= static_cast<std::byte>(state >> 24);
  }
}

}  // namespace wccl::link
