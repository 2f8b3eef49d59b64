#include "link/gf256.h"

#include <array>
#include <cassert>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace wccl::link {
namespace {

constexpr std::uint8_t multiply_slowly(unsigned a, unsigned b) {
  unsigned product = 0;
  for (; b != 0; b >>= 1U) {
    if ((b & 1U) != 0) {
      product ^= a;
    }
    a <<= 1U;
    if ((a & 0x100U) != 0) {
      a ^= 0x11dU;
    }
  }
  return static_cast<std::uint8_t>(product);
}

/// Products of a factor with 0..15 and with 0, 16, ... 240: two shuffles multiply (Plank, Greenan
/// and Miller, "Screaming Fast Galois Field Arithmetic Using Intel SIMD Instructions", FAST 2013).
struct Halves {
  alignas(32) std::array<std::uint8_t, 16> low;
  std::array<std::uint8_t, 16> high;
};

constexpr std::array<Halves, 256> make_halves() {
  std::array<Halves, 256> table{};
  for (unsigned factor = 0; factor < 256; ++factor) {
    for (unsigned nibble = 0; nibble < 16; ++nibble) {
      table[factor].low[nibble] = multiply_slowly(factor, nibble);
      table[factor].high[nibble] = multiply_slowly(factor, nibble << 4U);
    }
  }
  return table;
}
constexpr std::array<Halves, 256> kHalves = make_halves();

}  // namespace

std::uint8_t gf256_multiply(std::uint8_t a, std::uint8_t b) {
  const Halves& halves = kHalves[a];
  return halves.low[b & 15U] ^ halves.high[b >> 4U];
}

std::uint8_t gf256_inverse(std::uint8_t a) {
  assert(a != 0);
  // a^254, because a^255 is 1.
  std::uint8_t power = a;
  std::uint8_t inverse = 1;
  for (int bit = 1; bit < 8; ++bit) {
    power = gf256_multiply(power, power);
    inverse = gf256_multiply(inverse, power);
  }
  return inverse;
}

void gf256_add_multiple_scalar(std::span<std::uint8_t> target,
                               std::span<const std::uint8_t> source,
                               std::uint8_t factor) {
  assert(target.size() == source.size());
  for (std::size_t i = 0; i < target.size(); ++i) {
    target[i] ^= gf256_multiply(factor, source[i]);
  }
}

void gf256_add_multiple(std::span<std::uint8_t> target,
                        std::span<const std::uint8_t> source,
                        std::uint8_t factor) {
  assert(target.size() == source.size());
  if (factor == 0) {
    return;
  }
#ifdef __AVX2__
  const Halves& halves = kHalves[factor];
  const __m256i low = _mm256_broadcastsi128_si256(
      _mm_load_si128(reinterpret_cast<const __m128i*>(halves.low.data())));
  const __m256i high = _mm256_broadcastsi128_si256(
      _mm_load_si128(reinterpret_cast<const __m128i*>(halves.high.data())));
  const __m256i nibble = _mm256_set1_epi8(15);
  std::size_t i = 0;
  for (; i + 32 <= target.size(); i += 32) {
    const __m256i from = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source.data() + i));
    auto* const to = reinterpret_cast<__m256i*>(target.data() + i);
    const __m256i product = _mm256_xor_si256(
        _mm256_shuffle_epi8(low, _mm256_and_si256(from, nibble)),
        _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi64(from, 4), nibble)));
    _mm256_storeu_si256(to, _mm256_xor_si256(_mm256_loadu_si256(to), product));
  }
  target = target.subspan(i);
  source = source.subspan(i);
#endif
  gf256_add_multiple_scalar(target, source, factor);
}

void gf256_scale(std::span<std::uint8_t> row, std::uint8_t factor) {
  for (std::uint8_t& value : row) {
    value = gf256_multiply(factor, value);
  }
}

}  // namespace wccl::link
