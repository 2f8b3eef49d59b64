#include "phy/block_codec.h"

#include <gtest/gtest.h>

#include "awgn.h"
#include "phy/crc.h"
#include "phy/ldpc_code.h"
#include "phy/ldpc_encoder.h"
#include "vectors.h"

namespace wccl::phy {
namespace {

constexpr std::array kRates{CodeRate::k1_2, CodeRate::k2_3, CodeRate::k3_4, CodeRate::k5_6};
constexpr std::array kRateNames{"1/2", "2/3", "3/4", "5/6"};

/// LLRs of a valid codeword whose info bits are these, whatever the format says of them.
std::vector<Llr> llrs_of_info(BitVector info, CodeRate rate) {
  info.resize(ldpc_code(rate).info_bits());
  BitVector codeword(kBlockCodedBits);
  ldpc_encode(info, rate, codeword);
  return test::sure_llrs(codeword);
}

BitVector info_of(std::span<const std::byte> payload, std::uint32_t crc) {
  std::vector<std::byte> bytes(payload.begin(), payload.end());
  for (int shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::byte>(crc >> shift));
  }
  return unpack_bits(bytes);
}

TEST(BlockCodec, PayloadSizesAreThoseOfTheFormat) {
  EXPECT_EQ(block_payload_bytes(CodeRate::kNone), 0U);
  EXPECT_EQ(block_payload_bytes(CodeRate::k1_2), 117U);
  EXPECT_EQ(block_payload_bytes(CodeRate::k2_3), 158U);
  EXPECT_EQ(block_payload_bytes(CodeRate::k3_4), 178U);
  EXPECT_EQ(block_payload_bytes(CodeRate::k5_6), 198U);
}

TEST(BlockCodec, MatchesTheGoldenVectors) {
  const auto vectors = test::load_vectors("phy_code.txt");
  for (std::size_t i = 0; i < kRates.size(); ++i) {
    const std::string rate = kRateNames[i];
    const auto payload = test::bytes_of_hex(vectors.at("payload." + rate));
    const auto block = test::bits_of_hex(vectors.at("block." + rate), kBlockCodedBits);
    const auto filler = test::bits_of_hex(vectors.at("filler." + rate), kBlockCodedBits);
    EXPECT_EQ(encode_block(payload, kRates[i]), block) << rate;
    EXPECT_EQ(encode_filler(kRates[i]), filler) << rate;
    const auto decoded = decode_block(test::sure_llrs(block), kRates[i]);
    ASSERT_TRUE(decoded) << rate;
    EXPECT_EQ(decoded->payload, payload) << rate;
  }
}

class BlockCodecTest : public testing::TestWithParam<CodeRate> {};
INSTANTIATE_TEST_SUITE_P(Rates, BlockCodecTest, testing::ValuesIn(kRates));

TEST_P(BlockCodecTest, PayloadComesBackThroughNoise) {
  Rng rng(1);
  const double rate = static_cast<double>(ldpc_code(GetParam()).info_bits()) / kBlockCodedBits;
  LdpcDecoder decoder;
  for (int trial = 0; trial < 50; ++trial) {
    const auto payload = test::random_bytes(block_payload_bytes(GetParam()), rng);
    const auto llrs = test::awgn_llrs(encode_block(payload, GetParam()), rate, 5.0, rng);
    const auto block = decode_block(llrs, GetParam(), decoder);
    ASSERT_TRUE(block);
    EXPECT_EQ(block->payload, payload);
    EXPECT_FALSE(block->filler);
  }
}

TEST_P(BlockCodecTest, AZeroPayloadIsData) {
  const std::vector<std::byte> zeros(block_payload_bytes(GetParam()));
  const auto block = decode_block(test::sure_llrs(encode_block(zeros, GetParam())), GetParam());
  ASSERT_TRUE(block);
  EXPECT_FALSE(block->filler);
  EXPECT_EQ(block->payload, zeros);
}

TEST_P(BlockCodecTest, FillerIsToldFromData) {
  const auto block = decode_block(test::sure_llrs(encode_filler(GetParam())), GetParam());
  ASSERT_TRUE(block);
  EXPECT_TRUE(block->filler);
  EXPECT_TRUE(block->payload.empty());
}

TEST_P(BlockCodecTest, NothingSeenIsNoBlock) {
  EXPECT_FALSE(decode_block(std::vector<Llr>(kBlockCodedBits, 0), GetParam()));
}

TEST_P(BlockCodecTest, NoiseIsNoBlock) {
  Rng rng(2);
  LdpcDecoder decoder;
  std::vector<Llr> llrs(kBlockCodedBits);
  for (int trial = 0; trial < 200; ++trial) {
    for (Llr& llr : llrs) {
      llr = static_cast<Llr>(static_cast<int>(rng.below(255)) - 127);
    }
    EXPECT_FALSE(decode_block(llrs, GetParam(), decoder));
  }
}

TEST_P(BlockCodecTest, ChecksumMismatchIsDropped) {
  Rng rng(3);
  const auto payload = test::random_bytes(block_payload_bytes(GetParam()), rng);
  EXPECT_TRUE(decode_block(llrs_of_info(info_of(payload, crc32(payload)), GetParam()), GetParam()));
  EXPECT_FALSE(
      decode_block(llrs_of_info(info_of(payload, crc32(payload) ^ 1U), GetParam()), GetParam()));
}

TEST(BlockCodec, SpareBitsThatAreNotZeroAreDropped) {
  Rng rng(4);
  for (const CodeRate rate : {CodeRate::k1_2, CodeRate::k3_4, CodeRate::k5_6}) {
    const auto payload = test::random_bytes(block_payload_bytes(rate), rng);
    BitVector info = info_of(payload, crc32(payload));
    ASSERT_LT(info.size(), ldpc_code(rate).info_bits());
    info.push_back(1);
    EXPECT_FALSE(decode_block(llrs_of_info(info, rate), rate));
  }
}

// Parity bits hang on two checks each, in a chain: a run of them that the channel has firmly wrong
// gets stuck.
TEST(BlockCodec, WrongParityBitsDoNotLoseThePayload) {
  constexpr CodeRate kRate = CodeRate::k1_2;
  Rng rng(6);
  const auto payload = test::random_bytes(block_payload_bytes(kRate), rng);
  auto llrs = test::sure_llrs(encode_block(payload, kRate), 127);
  const std::size_t first = ldpc_code(kRate).info_columns() + 1;
  for (std::size_t column = first; column < kLdpcColumns; ++column) {
    Llr& llr = llrs[column * kLdpcLift + 17];
    llr = static_cast<Llr>(-llr);
  }
  LdpcDecoder decoder;
  BitVector info(ldpc_code(kRate).info_bits());
  const LdpcResult result = decoder.decode(llrs, kRate, info);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.unsatisfied_checks, 0);
  const auto block = decode_block(llrs, kRate, decoder);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->payload, payload);
}

TEST_P(BlockCodecTest, TwoWeakSightingsAddUp) {
  Rng rng(5);
  const double rate = static_cast<double>(ldpc_code(GetParam()).info_bits()) / kBlockCodedBits;
  const auto payload = test::random_bytes(block_payload_bytes(GetParam()), rng);
  const BitVector coded = encode_block(payload, GetParam());
  // 0.5 dB and more below the code's threshold: alone it fails.
  const double ebn0_db = 0.5 + 2.5 * (rate - 0.5);
  auto sum = test::awgn_llrs(coded, rate, ebn0_db, rng);
  EXPECT_FALSE(decode_block(sum, GetParam()));
  const auto again = test::awgn_llrs(coded, rate, ebn0_db, rng);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] = static_cast<Llr>(std::clamp(sum[i] + again[i], -127, 127));
  }
  const auto block = decode_block(sum, GetParam());
  ASSERT_TRUE(block);
  EXPECT_EQ(block->payload, payload);
}

}  // namespace
}  // namespace wccl::phy
