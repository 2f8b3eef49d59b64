#include <cmath>

#include <gtest/gtest.h>

#include "awgn.h"
#include "phy/convolutional_encoder.h"
#include "phy/viterbi_decoder.h"

namespace wccl::phy {
namespace {

constexpr std::size_t kBits = 140;

TEST(ConvolutionalCode, ImpulseShowsTheGenerators) {
  const BitVector impulse{1};
  // 133 octal = 1011011, 171 octal = 1111001, interleaved.
  EXPECT_EQ(convolutional_encode(impulse), (BitVector{1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 0, 1, 1}));
}

TEST(Viterbi, UndoesTheEncoder) {
  Rng rng(1);
  for (int trial = 0; trial < 50; ++trial) {
    const auto bits = test::random_bits(1 + rng.below(300), rng);
    EXPECT_EQ(viterbi_decode(test::sure_llrs(convolutional_encode(bits))), bits);
  }
}

// Free distance 10: any four wrong bits are nearer to the word that was sent than to any other.
TEST(Viterbi, CorrectsAnyFourWrongBits) {
  Rng rng(2);
  for (int trial = 0; trial < 500; ++trial) {
    const auto bits = test::random_bits(kBits, rng);
    auto llrs = test::sure_llrs(convolutional_encode(bits));
    const std::size_t burst = rng.below(llrs.size() - 20);
    for (int flip = 0; flip < 4; ++flip) {
      auto& llr = llrs[burst + rng.below(20)];
      llr = static_cast<Llr>(-llr);
    }
    EXPECT_EQ(viterbi_decode(llrs), bits);
  }
}

TEST(Viterbi, FillsInAnyNineErasures) {
  Rng rng(3);
  for (int trial = 0; trial < 500; ++trial) {
    const auto bits = test::random_bits(kBits, rng);
    auto llrs = test::sure_llrs(convolutional_encode(bits));
    const std::size_t burst = rng.below(llrs.size() - 9);
    for (std::size_t i = 0; i < 9; ++i) {
      llrs[burst + i] = 0;
    }
    EXPECT_EQ(viterbi_decode(llrs), bits);
  }
}

// Union bound on the bit error rate (Viterbi 1971) with the code's weight spectrum: information
// weights 36, 211, 1404, 11633 at distances 10, 12, 14, 16 (Conan 1984). At 3.5 dB: 1.2e-4. A
// decoder that lost 0.5 dB, by hard decisions or a wrong sign somewhere, would stand five times
// above it.
TEST(Viterbi, BitErrorRateKeepsToTheUnionBound) {
  constexpr double kEbn0Db = 3.5;
  constexpr int kWords = 8000;
  const double ebn0 = std::pow(10.0, kEbn0Db / 10.0);
  const auto q = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
  double bound = 0;
  for (const auto& [distance, weight] : {std::pair{10, 36}, {12, 211}, {14, 1404}, {16, 11633}}) {
    bound += weight * q(std::sqrt(2.0 * distance * 0.5 * ebn0));
  }
  Rng rng(4);
  int errors = 0;
  for (int word = 0; word < kWords; ++word) {
    const auto bits = test::random_bits(kBits, rng);
    const auto decoded =
        viterbi_decode(test::awgn_llrs(convolutional_encode(bits), 0.5, kEbn0Db, rng));
    for (std::size_t i = 0; i < kBits; ++i) {
      errors += decoded[i] != bits[i];
    }
  }
  const double rate = errors / static_cast<double>(kWords * kBits);
  EXPECT_LT(rate, 1.5 * bound)
      << errors;  // About 100 errors in bursts of 4 or so: 20% standard deviation.
  EXPECT_GT(rate, 0.1 * bound) << errors;
}

}  // namespace
}  // namespace wccl::phy
