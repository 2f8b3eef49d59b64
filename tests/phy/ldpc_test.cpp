#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include <gmock/gmock.h>

#include "awgn.h"
#include "phy/code_rate.h"
#include "phy/ldpc_code.h"
#include "phy/ldpc_decoder.h"
#include "phy/ldpc_decoder_scalar.h"
#include "phy/ldpc_encoder.h"

namespace wccl::phy {
namespace {

using Bits = std::vector<std::uint8_t>;

// Those of the rates, one in which a column is sent in part, and one that starts again.
constexpr std::array<std::size_t, 7> kSizes{1584, 1877, 2112, 2816, 3000, 4224, 5000};

double rate_of(std::size_t n_coded) {
  return static_cast<double>(kLdpcInfoBits) / static_cast<double>(n_coded);
}

Bits encode(const Bits& info, std::size_t n_coded) {
  Bits coded(n_coded);
  ldpc_encode(info, coded);
  return coded;
}

struct Block {
  Bits info;
  Bits coded;
};

Block random_block(std::size_t n_coded, Rng& rng) {
  Bits info = test::random_bits(kLdpcInfoBits, rng);
  Bits coded = encode(info, n_coded);
  return {std::move(info), std::move(coded)};
}

/// How many columns have how many blocks in the first rows.
std::map<int, int> column_degrees(std::size_t n_rows) {
  std::array<int, kLdpcColumns> degrees{};
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (const LdpcBlock& block : ldpc_row(row)) {
      ++degrees[block.column];
    }
  }
  std::map<int, int> histogram;
  for (const int degree : degrees) {
    ++histogram[degree];
  }
  return histogram;
}

/// Pairs of rows that meet in two columns at the same difference of shifts: 64 cycles of length 4
/// each.
int four_cycles(std::size_t n_rows) {
  int n_cycles = 0;
  for (std::size_t a = 0; a < n_rows; ++a) {
    for (std::size_t b = a + 1; b < n_rows; ++b) {
      std::array<int, kLdpcLift> seen{};
      for (const LdpcBlock& left : ldpc_row(a)) {
        for (const LdpcBlock& right : ldpc_row(b)) {
          if (left.column == right.column) {
            n_cycles += seen[(left.shift + kLdpcLift - right.shift) % kLdpcLift]++;
          }
        }
      }
    }
  }
  return n_cycles;
}

TEST(LdpcCode, HasTheDegreesOfBaseGraph1) {
  using testing::Pair;
  std::vector<std::size_t> degrees;
  for (std::size_t row = 0; row < kLdpcRows; ++row) {
    degrees.push_back(ldpc_row(row).size());
  }
  EXPECT_THAT(degrees, testing::ElementsAre(19, 19, 19, 19, 3, 8, 9, 7, 10, 9, 7, 8, 7, 6, 7, 7, 6,
                                            6, 6, 6, 6, 6, 5, 5, 6, 5, 5, 4, 5, 5, 5, 5, 5, 5, 5, 5,
                                            5, 4, 5, 5, 4, 5, 4, 5, 5, 4));
  EXPECT_THAT(column_degrees(kLdpcRows),
              testing::ElementsAre(Pair(1, 42), Pair(4, 1), Pair(5, 1), Pair(6, 2), Pair(7, 4),
                                   Pair(8, 3), Pair(9, 1), Pair(10, 4), Pair(11, 3), Pair(12, 4),
                                   Pair(13, 1), Pair(28, 1), Pair(30, 1)));
}

// At this lift the standard's shifts leave none among the core's rows, and two in all: of rows 2
// and 15, in columns 0 and 18 and in columns 1 and 13.
TEST(LdpcCode, HasNoMoreFourCyclesThanTheStandard) {
  EXPECT_EQ(four_cycles(kLdpcCoreRows), 0);
  EXPECT_EQ(four_cycles(kLdpcRows), 2);
}

TEST(LdpcCode, TheCoreEndsInADualDiagonalAndEachFurtherRowInAColumnOfItsOwn) {
  std::map<std::size_t, std::vector<int>> shifts;
  for (std::size_t row = 0; row < kLdpcCoreRows; ++row) {
    for (const LdpcBlock& block : ldpc_row(row)) {
      if (block.column >= kLdpcInfoColumns) {
        shifts[block.column].push_back(block.shift);
      }
    }
  }
  using testing::ElementsAre;
  EXPECT_THAT(shifts[22], ElementsAre(1, 0, 1));
  for (const std::size_t column : {23U, 24U, 25U}) {
    EXPECT_THAT(shifts[column], ElementsAre(0, 0));
  }
  for (std::size_t row = kLdpcCoreRows; row < kLdpcRows; ++row) {
    EXPECT_EQ(ldpc_row(row).back().column, kLdpcInfoColumns + row);
    EXPECT_EQ(ldpc_row(row).back().shift, 0);
  }
}

TEST(LdpcCode, RowsAreThoseWhoseParityIsSent) {
  EXPECT_EQ(ldpc_rows(kLdpcLeastCodedBits), 4U);
  EXPECT_EQ(ldpc_rows(24 * 64), 4U);
  EXPECT_EQ(ldpc_rows(24 * 64 + 1), 5U);
  EXPECT_EQ(ldpc_rows(25 * 64), 5U);
  EXPECT_EQ(ldpc_rows(4224), 46U);
  EXPECT_EQ(ldpc_rows(9000), 46U);
}

class LdpcTest : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(CodedBits, LdpcTest, testing::ValuesIn(kSizes));

TEST_P(LdpcTest, EncoderMakesWordsOfTheCode) {
  Rng rng(1);
  for (int trial = 0; trial < 20; ++trial) {
    const auto [info, coded] = random_block(GetParam(), rng);
    Bits word(info.begin(), info.begin() + kLdpcPuncturedColumns * kLdpcLift);
    const Bits all = encode(info, kLdpcBufferBits);
    word.insert(word.end(), all.begin(), all.end());
    EXPECT_TRUE(std::equal(info.begin(), info.end(), word.begin()));
    for (std::size_t row = 0; row < kLdpcRows; ++row) {
      for (std::size_t check = 0; check < kLdpcLift; ++check) {
        unsigned sum = 0;
        for (const LdpcBlock& block : ldpc_row(row)) {
          sum += word[block.column * kLdpcLift + (check + block.shift) % kLdpcLift];
        }
        ASSERT_EQ(sum % 2, 0U) << row << ' ' << check;
      }
    }
    // Whatever the length: the same word, and again from its start.
    for (std::size_t i = 0; i < coded.size(); ++i) {
      ASSERT_EQ(coded[i], all[i % all.size()]);
    }
  }
}

TEST_P(LdpcTest, CleanWordNeedsNoMoreThanOneIteration) {
  Rng rng(2);
  LdpcDecoder decoder;
  const auto [info, coded] = random_block(GetParam(), rng);
  Bits decoded(kLdpcInfoBits);
  const LdpcResult result = decoder.decode(test::sure_llrs(coded, 40), decoded);
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.iterations, 1);
  EXPECT_EQ(decoded, info);
}

TEST_P(LdpcTest, ErasuresOfHalfTheRedundancyAreFilledIn) {
  Rng rng(3);
  LdpcDecoder decoder;
  Bits decoded(kLdpcInfoBits);
  const std::size_t n_coded = GetParam();
  for (int trial = 0; trial < 20; ++trial) {
    const auto [info, coded] = random_block(n_coded, rng);
    auto llrs = test::sure_llrs(coded);
    std::vector<std::size_t> order(n_coded);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = 0; i < (n_coded - kLdpcInfoBits) / 2; ++i) {
      std::swap(order[i], order[i + rng.below(n_coded - i)]);
      llrs[order[i]] = 0;
    }
    EXPECT_TRUE(decoder.decode(llrs, decoded).converged);
    EXPECT_EQ(decoded, info);
  }
}

TEST_P(LdpcTest, VectorAndScalarDecoderAgreeBitForBit) {
  Rng rng(4);
  LdpcDecoder fast(8);
  ScalarLdpcDecoder scalar(8);
  Bits fast_info(kLdpcInfoBits);
  Bits scalar_info(kLdpcInfoBits);
  for (int trial = 0; trial < 40; ++trial) {
    const auto [info, coded] = random_block(GetParam(), rng);
    auto llrs = test::awgn_llrs(coded, rate_of(GetParam()), -1.0 + 0.15 * trial, rng);
    if (trial % 10 == 0) {
      for (Llr& llr : llrs) {
        llr = static_cast<Llr>(static_cast<int>(rng.below(256)) - 128);
      }
    }
    const LdpcResult fast_result = fast.decode(llrs, fast_info);
    const LdpcResult scalar_result = scalar.decode(llrs, scalar_info);
    EXPECT_EQ(fast_result.converged, scalar_result.converged);
    EXPECT_EQ(fast_result.iterations, scalar_result.iterations);
    EXPECT_EQ(fast_result.unsatisfied_checks, scalar_result.unsatisfied_checks);
    EXPECT_EQ(fast_info, scalar_info);
  }
}

TEST_P(LdpcTest, DecoderForgetsTheBlockBefore) {
  Rng rng(5);
  const auto llrs =
      test::awgn_llrs(random_block(GetParam(), rng).coded, rate_of(GetParam()), 2.5, rng);
  Bits info(kLdpcInfoBits);
  LdpcDecoder fresh;
  const LdpcResult expected = fresh.decode(llrs, info);
  LdpcDecoder used;
  Bits other(kLdpcInfoBits);
  for (const std::size_t n_coded : kSizes) {
    (void)used.decode(test::awgn_llrs(random_block(n_coded, rng).coded, rate_of(n_coded), 0.0, rng),
                      other);
  }
  Bits again(kLdpcInfoBits);
  EXPECT_EQ(used.decode(llrs, again).iterations, expected.iterations);
  EXPECT_EQ(again, info);
}

TEST_P(LdpcTest, HopelessInputStopsAtTheLimit) {
  Rng rng(6);
  LdpcDecoder decoder(5);
  std::vector<Llr> llrs(GetParam());
  for (Llr& llr : llrs) {
    llr = static_cast<Llr>(static_cast<int>(rng.below(255)) - 127);
  }
  Bits info(kLdpcInfoBits);
  const LdpcResult result = decoder.decode(llrs, info);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 5);
}

// required_snr_db() is where one block in a hundred fails. The bound is five standard deviations
// above 0.01 for 1000 blocks and 0.05 dB more (one wrong shift in the matrix costs far more); and
// half a dB below it more than a tenth must fail, else the table is too pessimistic.
TEST(LdpcDecoder, ReachesTheWaterfallOfItsTable) {
  for (const CodeRate rate : kCodeRates) {
    Rng rng(7);
    LdpcDecoder decoder(12);
    Bits decoded(kLdpcInfoBits);
    const std::size_t n_coded = block_coded_bits(rate);
    const auto count_bad = [&](double snr_db, int n_blocks) {
      const double ebn0_db = snr_db - 10 * std::log10(2 * rate_of(n_coded));
      int n_bad = 0;
      for (int block = 0; block < n_blocks; ++block) {
        const auto [info, coded] = random_block(n_coded, rng);
        const auto llrs = test::awgn_llrs(coded, rate_of(n_coded), ebn0_db, rng);
        n_bad += !decoder.decode(llrs, decoded).converged || decoded != info;
      }
      return n_bad;
    };
    const int n_bad = count_bad(required_snr_db(rate) + 0.05, 1000);
    EXPECT_LT(n_bad, 26) << name_of(rate);
    EXPECT_GT(count_bad(required_snr_db(rate) - 0.5, 100), 10) << name_of(rate);
    RecordProperty("bad_at_" + std::string(name_of(rate)), n_bad);
  }
}

}  // namespace
}  // namespace wccl::phy
