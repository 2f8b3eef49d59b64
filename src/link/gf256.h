#pragma once

#include <cstdint>
#include <span>

namespace wccl::link {

/// Arithmetic in the field of 256 elements with polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11d, the
/// one of Reed-Solomon codes and RFC 6330). Addition is XOR.
[[nodiscard]] std::uint8_t gf256_multiply(std::uint8_t a, std::uint8_t b);
/// @param a  Not 0.
[[nodiscard]] std::uint8_t gf256_inverse(std::uint8_t a);

/// Rows of this many bytes, or a multiple, run at full speed.
inline constexpr std::size_t kGf256Stride = 32;

/// target += factor * source, element by element; the spans have the same size.
void gf256_add_multiple(std::span<std::uint8_t> target,
                        std::span<const std::uint8_t> source,
                        std::uint8_t factor);
/// The same, a byte at a time: what the fast one must equal.
void gf256_add_multiple_scalar(std::span<std::uint8_t> target,
                               std::span<const std::uint8_t> source,
                               std::uint8_t factor);
/// row *= factor.
void gf256_scale(std::span<std::uint8_t> row, std::uint8_t factor);

}  // namespace wccl::link
