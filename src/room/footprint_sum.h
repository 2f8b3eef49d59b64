#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace wccl::room {

// Sums of 16-bit numbers over a footprint, sixteen columns at a time: rows first, then columns.
// With and without AVX2 the results are the same, bit for bit.

inline constexpr int kSumColumns = 16;

#if defined(__AVX2__)

using ColumnSums = __m256i;  ///< Sixteen of 16 bits.
using PixelSum = __m256i;    ///< Eight parts of 32 bits.

/// Weighted rows, column by column; weights are shares in steps of 1 / 2^15.
inline ColumnSums weigh_rows(const std::int16_t* pixels,
                             std::ptrdiff_t stride,
                             const std::int16_t* weights,
                             int n_rows) {
  __m256i sums = _mm256_setzero_si256();
#pragma GCC unroll 4
  for (int y = 0; y < n_rows; ++y, pixels += stride) {
    const __m256i values = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(pixels));
    sums = _mm256_add_epi16(sums, _mm256_mulhrs_epi16(values, _mm256_set1_epi16(weights[y])));
  }
  return sums;
}

inline PixelSum no_sum() {
  return _mm256_setzero_si256();
}

/// @return sum plus the columns times their weights.
inline PixelSum weigh_columns(PixelSum sum, ColumnSums columns, const std::int16_t* weights) {
  const __m256i factors = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights));
  return _mm256_add_epi32(sum, _mm256_madd_epi16(columns, factors));
}

/// The whole sums of four pixels.
inline std::array<float, 4> totals(PixelSum a, PixelSum b, PixelSum c, PixelSum d) {
  const __m256i pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
  const __m128i sums =
      _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
  std::array<float, 4> result;
  _mm_storeu_ps(result.data(), _mm_cvtepi32_ps(sums));
  return result;
}

#else

using ColumnSums = std::array<std::int16_t, kSumColumns>;
using PixelSum = std::int32_t;

inline ColumnSums weigh_rows(const std::int16_t* pixels,
                             std::ptrdiff_t stride,
                             const std::int16_t* weights,
                             int n_rows) {
  ColumnSums sums{};
  for (int y = 0; y < n_rows; ++y) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const int product = pixels[y * stride + static_cast<std::ptrdiff_t>(i)] * weights[y];
      sums[i] = static_cast<std::int16_t>(sums[i] + ((product + 0x4000) >> 15));
    }
  }
  return sums;
}

inline PixelSum no_sum() {
  return 0;
}

inline PixelSum weigh_columns(PixelSum sum,
                              const ColumnSums& columns,
                              const std::int16_t* weights) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sum += columns[i] * weights[i];
  }
  return sum;
}

inline std::array<float, 4> totals(PixelSum a, PixelSum b, PixelSum c, PixelSum d) {
  return {static_cast<float>(a), static_cast<float>(b), static_cast<float>(c),
          static_cast<float>(d)};
}

#endif

}  // namespace wccl::room
