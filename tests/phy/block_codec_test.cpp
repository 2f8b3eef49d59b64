#include "phy/block_codec.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "awgn.h"
#include "phy/code_rate.h"
#include "phy/crc.h"
#include "phy/ldpc_encoder.h"
#include "vectors.h"

namespace wccl::phy {
namespace {

/// LLRs of a valid codeword whose info bits are these, whatever the format says of them.
std::vector<Llr> llrs_of_info(const BitVector& info, std::size_t n_coded) {
  BitVector coded(n_coded);
  ldpc_encode(info, coded);
  return test::sure_llrs(coded);
}

BitVector info_of(std::span<const std::byte> payload, std::uint32_t crc) {
  std::vector<std::byte> bytes(payload.begin(), payload.end());
  for (int shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::byte>(crc >> shift));
  }
  return unpack_bits(bytes);
}

TEST(BlockCodec, MatchesTheGoldenVectors) {
  const auto vectors = test::load_vectors("phy_code.txt");
  const auto payload = test::bytes_of_hex(vectors.at("payload"));
  ASSERT_EQ(payload.size(), kBlockPayloadBytes);
  // The longest rate starts again with its first bits.
  for (const std::size_t n_coded : {1584U, 1877U, 2816U, 4224U, 4400U}) {
    const std::string size = std::to_string(n_coded);
    const auto block = test::bits_of_hex(vectors.at("block." + size), n_coded);
    const auto filler = test::bits_of_hex(vectors.at("filler." + size), n_coded);
    EXPECT_EQ(encode_block(payload, n_coded), block) << size;
    EXPECT_EQ(encode_filler(n_coded), filler) << size;
    const auto decoded = decode_block(test::sure_llrs(block));
    ASSERT_TRUE(decoded) << size;
    EXPECT_EQ(decoded->payload, payload) << size;
  }
}

class BlockCodecTest : public testing::TestWithParam<CodeRate> {
 protected:
  [[nodiscard]] static std::size_t n_coded() { return block_coded_bits(GetParam()); }
  [[nodiscard]] static double rate() {
    return static_cast<double>(kLdpcInfoBits) / static_cast<double>(n_coded());
  }
};
INSTANTIATE_TEST_SUITE_P(Rates, BlockCodecTest, testing::ValuesIn(kCodeRates));

TEST_P(BlockCodecTest, PayloadComesBackThroughNoise) {
  Rng rng(1);
  LdpcDecoder decoder;
  for (int trial = 0; trial < 50; ++trial) {
    const auto payload = test::random_bytes(kBlockPayloadBytes, rng);
    const auto llrs = test::awgn_llrs(encode_block(payload, n_coded()), rate(), 6.0, rng);
    const auto block = decode_block(llrs, decoder);
    ASSERT_TRUE(block);
    EXPECT_EQ(block->payload, payload);
    EXPECT_FALSE(block->filler);
  }
}

TEST_P(BlockCodecTest, AZeroPayloadIsData) {
  const std::vector<std::byte> zeros(kBlockPayloadBytes);
  const auto block = decode_block(test::sure_llrs(encode_block(zeros, n_coded())));
  ASSERT_TRUE(block);
  EXPECT_FALSE(block->filler);
  EXPECT_EQ(block->payload, zeros);
}

TEST_P(BlockCodecTest, FillerIsToldFromData) {
  const auto block = decode_block(test::sure_llrs(encode_filler(n_coded())));
  ASSERT_TRUE(block);
  EXPECT_TRUE(block->filler);
  EXPECT_TRUE(block->payload.empty());
}

TEST_P(BlockCodecTest, NothingSeenIsNoBlock) {
  EXPECT_FALSE(decode_block(std::vector<Llr>(n_coded(), 0)));
}

TEST_P(BlockCodecTest, NoiseIsNoBlock) {
  Rng rng(2);
  LdpcDecoder decoder;
  std::vector<Llr> llrs(n_coded());
  for (int trial = 0; trial < 200; ++trial) {
    for (Llr& llr : llrs) {
      llr = static_cast<Llr>(static_cast<int>(rng.below(255)) - 127);
    }
    EXPECT_FALSE(decode_block(llrs, decoder));
  }
}

TEST_P(BlockCodecTest, ChecksumMismatchIsDropped) {
  Rng rng(3);
  const auto payload = test::random_bytes(kBlockPayloadBytes, rng);
  EXPECT_TRUE(decode_block(llrs_of_info(info_of(payload, crc32(payload)), n_coded())));
  EXPECT_FALSE(decode_block(llrs_of_info(info_of(payload, crc32(payload) ^ 1U), n_coded())));
}

TEST_P(BlockCodecTest, TwoWeakSightingsAddUp) {
  Rng rng(5);
  const auto payload = test::random_bytes(kBlockPayloadBytes, rng);
  const BitVector coded = encode_block(payload, n_coded());
  // 1 dB below the code's threshold: alone it fails.
  const double ebn0_db = required_snr_db(GetParam()) - 10 * std::log10(2 * rate()) - 1;
  auto sum = test::awgn_llrs(coded, rate(), ebn0_db, rng);
  EXPECT_FALSE(decode_block(sum));
  const auto again = test::awgn_llrs(coded, rate(), ebn0_db, rng);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] = static_cast<Llr>(std::clamp(sum[i] + again[i], -127, 127));
  }
  const auto block = decode_block(sum);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->payload, payload);
}

}  // namespace
}  // namespace wccl::phy
