#include "link/gf256.h"

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace wccl::link {
namespace {

std::vector<std::uint8_t> random_row(Rng& rng, std::size_t n) {
  std::vector<std::uint8_t> row(n);
  for (auto& value : row) {
    value = static_cast<std::uint8_t>(rng.below(256));
  }
  return row;
}

// RFC 5510, 8.1, lists powers of alpha for this polynomial.
TEST(Gf256, PowersOfTwoGoRoundTheWholeField) {
  std::uint8_t power = 1;
  std::array<bool, 256> seen{};
  for (int i = 0; i < 255; ++i) {
    EXPECT_FALSE(seen[power]);
    seen[power] = true;
    power = gf256_multiply(power, 2);
  }
  EXPECT_EQ(power, 1);
  EXPECT_EQ(gf256_multiply(0x80, 2), 0x1d);
}

TEST(Gf256, EveryElementTimesItsInverseIsOne) {
  for (unsigned a = 1; a < 256; ++a) {
    const auto element = static_cast<std::uint8_t>(a);
    EXPECT_EQ(gf256_multiply(element, gf256_inverse(element)), 1) << a;
  }
}

TEST(Gf256, ScalarAndVectorAgreeAtEveryLength) {
  Rng rng(1);
  for (std::size_t n = 0; n < 100; ++n) {
    const auto source = random_row(rng, n);
    const auto factor = static_cast<std::uint8_t>(rng.below(256));
    auto fast = random_row(rng, n);
    auto slow = fast;
    gf256_add_multiple(fast, source, factor);
    gf256_add_multiple_scalar(slow, source, factor);
    EXPECT_EQ(fast, slow) << n;
  }
}

TEST(Gf256, AddingTwiceGivesTheRowBack) {
  Rng rng(2);
  const auto source = random_row(rng, 77);
  const auto before = random_row(rng, 77);
  auto row = before;
  gf256_add_multiple(row, source, 0x53);
  EXPECT_NE(row, before);
  gf256_add_multiple(row, source, 0x53);
  EXPECT_EQ(row, before);
}

}  // namespace
}  // namespace wccl::link
