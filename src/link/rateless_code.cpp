#include "link/rateless_code.h"

#include <cassert>

#include "base/splitmix.h"

namespace wccl::link {
namespace {

std::uint64_t mix(std::uint64_t x) {
  return splitmix64_output(x + kSplitmixStep);
}

std::size_t divide_up(std::size_t a, std::size_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace

RatelessLayout RatelessLayout::of(std::size_t object_bytes, std::size_t symbol_bytes) {
  assert(object_bytes > 0 && symbol_bytes > 0);
  const std::size_t n_symbols = divide_up(object_bytes, symbol_bytes);
  RatelessLayout layout{object_bytes, symbol_bytes, 0, 0};
  layout.n_generations = divide_up(n_symbols, kMostGenerationSymbols);
  layout.generation_symbols = divide_up(n_symbols, layout.n_generations);
  return layout;
}

SymbolId symbol_at(const RatelessLayout& layout, std::uint64_t position) {
  const std::uint64_t n = layout.n_generations;
  const std::uint64_t round = position / n;
  // Each round starts elsewhere: else a generation could always meet the same, weak part of frames.
  const std::uint64_t generation = (position % n + mix(round) % n) % n;
  return {static_cast<std::uint32_t>(generation), static_cast<std::uint32_t>(round)};
}

void repair_coefficients(SymbolId id, std::span<std::uint8_t> coefficients) {
  std::uint64_t state = mix(static_cast<std::uint64_t>(id.generation) << 32U | id.index);
  for (std::size_t i = 0; i < coefficients.size(); i += 8) {
    std::uint64_t word = mix(state++);
    for (std::size_t j = i; j < i + 8 && j < coefficients.size(); ++j) {
      coefficients[j] = static_cast<std::uint8_t>(word);
      word >>= 8U;
    }
  }
}

}  // namespace wccl::link
