#include "base/rng.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

#include "base/splitmix.h"

namespace wccl {

Rng::Rng(std::uint64_t seed) : seed_(seed), state_{} {
  for (auto& word : state_) {
    seed += kSplitmixStep;
    word = splitmix64_output(seed);
  }
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  assert(bound > 0);
  const std::uint64_t rejected =
      -bound % bound;  // 2^64 mod bound values would be drawn once too often
  std::uint64_t value = next();
  while (value < rejected) {
    value = next();
  }
  return value % bound;
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11U) * 0x1.0p-53;
}

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Rng Rng::split(std::uint64_t stream_id) const {
  const std::uint64_t state = seed_ ^ (stream_id * 0xD1342543DE82EF95U + 0x632BE59BD9B4E019U);
  return Rng(splitmix64_output(state + kSplitmixStep));
}

}  // namespace wccl
