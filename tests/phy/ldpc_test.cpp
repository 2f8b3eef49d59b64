#include <algorithm>
#include <map>
#include <numeric>

#include <gmock/gmock.h>

#include "awgn.h"
#include "phy/ldpc_code.h"
#include "phy/ldpc_decoder.h"
#include "phy/ldpc_decoder_scalar.h"
#include "phy/ldpc_encoder.h"

namespace wccl::phy {
namespace {

constexpr std::array kRates{CodeRate::k1_2, CodeRate::k2_3, CodeRate::k3_4, CodeRate::k5_6};

std::vector<std::uint8_t> random_codeword(CodeRate rate, Rng& rng) {
  std::vector<std::uint8_t> codeword(kLdpcCodedBits);
  ldpc_encode(test::random_bits(ldpc_code(rate).info_bits(), rng), rate, codeword);
  return codeword;
}

double rate_of(CodeRate rate) {
  return static_cast<double>(ldpc_code(rate).info_bits()) / kLdpcCodedBits;
}

bool all_checks_hold(std::span<const std::uint8_t> word, CodeRate rate) {
  for (const auto& row : ldpc_code(rate).rows) {
    for (std::size_t check = 0; check < kLdpcLift; ++check) {
      unsigned sum = 0;
      for (const LdpcBlock& block : row) {
        sum += word[block.column * kLdpcLift + (check + block.shift) % kLdpcLift];
      }
      if (sum % 2 != 0) {
        return false;
      }
    }
  }
  return true;
}

std::vector<std::size_t> row_degrees(CodeRate rate) {
  std::vector<std::size_t> degrees;
  for (const auto& row : ldpc_code(rate).rows) {
    degrees.push_back(row.size());
  }
  return degrees;
}

/// How many columns have how many blocks.
std::map<int, int> column_degrees(CodeRate rate) {
  std::array<int, kLdpcColumns> degrees{};
  for (const auto& row : ldpc_code(rate).rows) {
    for (const LdpcBlock& block : row) {
      ++degrees[block.column];
    }
  }
  std::map<int, int> histogram;
  for (const int degree : degrees) {
    ++histogram[degree];
  }
  return histogram;
}

/// Pairs of rows that meet in two columns at the same difference of shifts: 81 cycles of length 4
/// each.
int four_cycles(CodeRate rate) {
  const auto& rows = ldpc_code(rate).rows;
  int n_cycles = 0;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      std::array<int, kLdpcLift> seen{};
      for (const LdpcBlock& left : rows[a]) {
        for (const LdpcBlock& right : rows[b]) {
          if (left.column != right.column) {
            continue;
          }
          n_cycles += seen[(left.shift + kLdpcLift - right.shift) % kLdpcLift]++;
        }
      }
    }
  }
  return n_cycles;
}

TEST(LdpcCode, HasTheDegreesOfTheStandard) {
  using testing::ElementsAre;
  using testing::Pair;
  EXPECT_THAT(row_degrees(CodeRate::k1_2), ElementsAre(7, 7, 7, 7, 7, 7, 8, 7, 7, 7, 7, 8));
  EXPECT_THAT(row_degrees(CodeRate::k2_3), ElementsAre(11, 11, 11, 11, 11, 11, 11, 11));
  EXPECT_THAT(row_degrees(CodeRate::k3_4), ElementsAre(14, 14, 14, 15, 14, 14));
  EXPECT_THAT(row_degrees(CodeRate::k5_6), ElementsAre(20, 20, 20, 19));
  EXPECT_THAT(column_degrees(CodeRate::k1_2),
              ElementsAre(Pair(2, 11), Pair(3, 9), Pair(4, 1), Pair(11, 3)));
  EXPECT_THAT(column_degrees(CodeRate::k2_3),
              ElementsAre(Pair(2, 7), Pair(3, 12), Pair(6, 1), Pair(8, 4)));
  EXPECT_THAT(column_degrees(CodeRate::k3_4), ElementsAre(Pair(2, 5), Pair(3, 13), Pair(6, 6)));
  EXPECT_THAT(column_degrees(CodeRate::k5_6), ElementsAre(Pair(2, 3), Pair(3, 11), Pair(4, 10)));
}

// The published 2/3 matrix has one class of them (rows 3 and 5, columns 0 and 2); the others have
// none.
TEST(LdpcCode, HasNoMoreFourCyclesThanTheStandard) {
  EXPECT_EQ(four_cycles(CodeRate::k1_2), 0);
  EXPECT_EQ(four_cycles(CodeRate::k2_3), 1);
  EXPECT_EQ(four_cycles(CodeRate::k3_4), 0);
  EXPECT_EQ(four_cycles(CodeRate::k5_6), 0);
}

TEST(LdpcCode, ParityPartIsTheDualDiagonal) {
  for (const CodeRate rate : kRates) {
    const LdpcCode& code = ldpc_code(rate);
    const std::size_t first = code.info_columns();
    std::vector<int> first_column;
    for (std::size_t row = 0; row < code.rows.size(); ++row) {
      for (const LdpcBlock& block : code.rows[row]) {
        if (block.column == first) {
          first_column.push_back(block.shift);
        }
        if (block.column <= first) {
          continue;
        }
        const std::size_t diagonal = block.column - first - 1;
        EXPECT_TRUE(diagonal == row || diagonal + 1 == row);
        EXPECT_EQ(block.shift, 0);
      }
    }
    EXPECT_THAT(first_column, testing::ElementsAre(1, 0, 1));
  }
}

class LdpcTest : public testing::TestWithParam<CodeRate> {};
INSTANTIATE_TEST_SUITE_P(Rates, LdpcTest, testing::ValuesIn(kRates));

TEST_P(LdpcTest, EncoderMakesWordsOfTheCode) {
  Rng rng(1);
  for (int trial = 0; trial < 20; ++trial) {
    const auto info = test::random_bits(ldpc_code(GetParam()).info_bits(), rng);
    std::vector<std::uint8_t> codeword(kLdpcCodedBits);
    ldpc_encode(info, GetParam(), codeword);
    EXPECT_TRUE(std::equal(info.begin(), info.end(), codeword.begin()));
    EXPECT_TRUE(all_checks_hold(codeword, GetParam()));
  }
}

TEST_P(LdpcTest, CleanWordNeedsNoIteration) {
  Rng rng(2);
  LdpcDecoder decoder;
  const auto codeword = random_codeword(GetParam(), rng);
  std::vector<std::uint8_t> info(ldpc_code(GetParam()).info_bits());
  const LdpcResult result = decoder.decode(test::sure_llrs(codeword, 1), GetParam(), info);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_TRUE(std::equal(info.begin(), info.end(), codeword.begin()));
}

TEST_P(LdpcTest, ErasuresOfHalfTheRedundancyAreFilledIn) {
  Rng rng(3);
  LdpcDecoder decoder;
  const std::size_t n_info = ldpc_code(GetParam()).info_bits();
  std::vector<std::uint8_t> info(n_info);
  for (int trial = 0; trial < 20; ++trial) {
    const auto codeword = random_codeword(GetParam(), rng);
    auto llrs = test::sure_llrs(codeword);
    std::vector<std::size_t> order(kLdpcCodedBits);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = 0; i < (kLdpcCodedBits - n_info) / 2; ++i) {
      std::swap(order[i], order[i + rng.below(kLdpcCodedBits - i)]);
      llrs[order[i]] = 0;
    }
    EXPECT_TRUE(decoder.decode(llrs, GetParam(), info).converged);
    EXPECT_TRUE(std::equal(info.begin(), info.end(), codeword.begin()));
  }
}

TEST_P(LdpcTest, VectorAndScalarDecoderAgreeBitForBit) {
  Rng rng(4);
  LdpcDecoder fast(8);
  ScalarLdpcDecoder scalar(8);
  const std::size_t n_info = ldpc_code(GetParam()).info_bits();
  std::vector<std::uint8_t> fast_info(n_info);
  std::vector<std::uint8_t> scalar_info(n_info);
  for (int trial = 0; trial < 60; ++trial) {
    const auto codeword = random_codeword(GetParam(), rng);
    auto llrs = test::awgn_llrs(codeword, rate_of(GetParam()), -1.0 + 0.1 * trial, rng);
    if (trial % 10 == 0) {
      for (Llr& llr : llrs) {
        llr = static_cast<Llr>(static_cast<int>(rng.below(256)) - 128);
      }
    }
    const LdpcResult fast_result = fast.decode(llrs, GetParam(), fast_info);
    const LdpcResult scalar_result = scalar.decode(llrs, GetParam(), scalar_info);
    EXPECT_EQ(fast_result.converged, scalar_result.converged);
    EXPECT_EQ(fast_result.iterations, scalar_result.iterations);
    EXPECT_EQ(fast_result.unsatisfied_checks, scalar_result.unsatisfied_checks);
    EXPECT_EQ(fast_info, scalar_info);
  }
}

TEST_P(LdpcTest, DecoderForgetsTheBlockBefore) {
  Rng rng(5);
  const auto codeword = random_codeword(GetParam(), rng);
  const auto llrs = test::awgn_llrs(codeword, rate_of(GetParam()), 2.5, rng);
  std::vector<std::uint8_t> info(ldpc_code(GetParam()).info_bits());
  LdpcDecoder fresh;
  const LdpcResult expected = fresh.decode(llrs, GetParam(), info);
  LdpcDecoder used;
  for (const CodeRate rate : kRates) {
    std::vector<std::uint8_t> other(ldpc_code(rate).info_bits());
    (void)used.decode(test::awgn_llrs(random_codeword(rate, rng), rate_of(rate), 0.0, rng), rate,
                      other);
  }
  std::vector<std::uint8_t> again(info.size());
  EXPECT_EQ(used.decode(llrs, GetParam(), again).iterations, expected.iterations);
  EXPECT_EQ(again, info);
}

TEST_P(LdpcTest, HopelessInputStopsAtTheLimit) {
  Rng rng(6);
  LdpcDecoder decoder(5);
  std::vector<Llr> llrs(kLdpcCodedBits);
  for (Llr& llr : llrs) {
    llr = static_cast<Llr>(static_cast<int>(rng.below(255)) - 127);
  }
  std::vector<std::uint8_t> info(ldpc_code(GetParam()).info_bits());
  const LdpcResult result = decoder.decode(llrs, GetParam(), info);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 5);
}

struct Waterfall {
  CodeRate rate;
  double ebn0_db;
  double max_fer;
};

// A floating-point sum-product decoder with 30 layered iterations has FER 3e-2 at 1.25 dB for rate
// 1/2; eight-bit min-sum with 20 iterations costs 0.15 to 0.2 dB. Expected here: FER 1e-2 at
// about 1.6, 2.3, 2.8 and 3.5 dB. The bound is five standard deviations above 0.01 for 1000 blocks;
// one wrong shift in a matrix costs far more.
TEST(LdpcDecoder, ReachesTheWaterfallOfTheCode) {
  constexpr int kBlocks = 1000;
  for (const auto& [rate, ebn0_db, max_fer] :
       {Waterfall{CodeRate::k1_2, 1.7, 0.026}, Waterfall{CodeRate::k2_3, 2.35, 0.026},
        Waterfall{CodeRate::k3_4, 2.85, 0.026}, Waterfall{CodeRate::k5_6, 3.55, 0.026}}) {
    Rng rng(7);
    LdpcDecoder decoder(20);
    std::vector<std::uint8_t> info(ldpc_code(rate).info_bits());
    int n_bad = 0;
    for (int block = 0; block < kBlocks; ++block) {
      const auto codeword = random_codeword(rate, rng);
      const auto llrs = test::awgn_llrs(codeword, rate_of(rate), ebn0_db, rng);
      const bool converged = decoder.decode(llrs, rate, info).converged;
      n_bad += !converged || !std::equal(info.begin(), info.end(), codeword.begin());
    }
    EXPECT_LT(n_bad, max_fer * kBlocks) << "rate " << rate_of(rate);
    RecordProperty("bad_at_rate_" + std::to_string(info.size()), n_bad);
  }
}

}  // namespace
}  // namespace wccl::phy
