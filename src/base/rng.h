#pragma once

#include <array>
#include <cstdint>

namespace wccl {

/// A seeded random stream (xoshiro256**, Blackman and Vigna 2018, seeded by splitmix64). The
/// standard library's distributions differ between platforms; these do not, so a seed gives the
/// same bytes.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  [[nodiscard]] std::uint64_t next();
  /// Uniform in [0, bound) without modulo bias; bound above 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1) with 53 bits.
  [[nodiscard]] double uniform();
  /// Normal with mean 0 and variance 1 (Box-Muller).
  [[nodiscard]] double normal();

  /// An independent stream for a part of the work: the same seed and id give the same stream,
  /// whatever else was drawn.
  [[nodiscard]] Rng split(std::uint64_t stream_id) const;

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> state_;
};

}  // namespace wccl
