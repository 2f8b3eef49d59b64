#include <gtest/gtest.h>

#include "awgn.h"
#include "phy/convolutional_encoder.h"
#include "phy/crc.h"
#include "phy/frame_header.h"
#include "vectors.h"

namespace wccl::phy {
namespace {

FrameHeader full_header() {
  return {.node = 7,
          .epoch = 0xbeef,
          .sequence = 0x1234,
          .panel = {1366, 768},
          .mode = 12,
          .transmit_time_ms = 0xfedc,
          .feedback = 0x89abcdef};
}

/// The LLRs of header fields as a sender of another mind might write them, with a right CRC.
std::vector<Llr> llrs_of_fields(BitVector fields) {
  const std::uint16_t crc = crc16(fields);
  for (int shift = 15; shift >= 0; --shift) {
    fields.push_back(static_cast<std::uint8_t>((crc >> shift) & 1));
  }
  return test::sure_llrs(convolutional_encode(fields));
}

/// A plausible header's 124 field bits: version 2, node 0, a panel of 2048 x 2048, mode 0.
BitVector plausible_fields() {
  BitVector fields(124);
  fields[2] = 1;
  fields[40] = 1;
  fields[52] = 1;
  return fields;
}

TEST(FrameHeader, MatchesTheGoldenVectors) {
  const auto vectors = test::load_vectors("phy_code.txt");
  const FrameHeader plain{.panel = {1920, 1200}};
  EXPECT_EQ(encode_header(plain), test::bits_of_hex(vectors.at("header.plain"), kHeaderCodedBits));
  EXPECT_EQ(encode_header(full_header()),
            test::bits_of_hex(vectors.at("header.full"), kHeaderCodedBits));
}

TEST(FrameHeader, EveryFieldComesBack) {
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    const FrameHeader header{
        .node = static_cast<std::uint8_t>(rng.below(kUnnumberedNode + 1)),
        .epoch = static_cast<std::uint16_t>(rng.next()),
        .sequence = static_cast<std::uint16_t>(rng.next()),
        .panel = {1 + static_cast<int>(rng.below(4095)), 1 + static_cast<int>(rng.below(4095))},
        .mode = static_cast<ModeId>(rng.below(modes().size())),
        .transmit_time_ms = static_cast<std::uint16_t>(rng.next()),
        .feedback = static_cast<std::uint32_t>(rng.next())};
    EXPECT_EQ(decode_header(test::sure_llrs(encode_header(header))), header);
  }
}

TEST(FrameHeader, SurvivesNoiseAtFiveDecibel) {
  Rng rng(2);
  const FrameHeader header = full_header();
  for (int trial = 0; trial < 300; ++trial) {
    EXPECT_EQ(decode_header(test::awgn_llrs(encode_header(header), 0.5, 5.0, rng)), header);
  }
}

TEST(FrameHeader, ChecksumMismatchIsDropped) {
  const FrameHeader header = full_header();
  auto llrs = test::sure_llrs(encode_header(header));
  for (std::size_t i = 0; i < 40; ++i) {
    llrs[100 + i] = static_cast<Llr>(-llrs[100 + i]);
  }
  EXPECT_EQ(decode_header(llrs), std::nullopt);
}

TEST(FrameHeader, NothingSeenIsNoHeader) {
  EXPECT_EQ(decode_header(std::vector<Llr>(kHeaderCodedBits, 0)), std::nullopt);
}

// Of random words 2^-16 pass the CRC, and of those 1 in 512 names our version, a node and a mode
// that exist.
TEST(FrameHeader, NoiseIsNoHeader) {
  Rng rng(3);
  std::vector<Llr> llrs(kHeaderCodedBits);
  for (int trial = 0; trial < 2000; ++trial) {
    for (Llr& llr : llrs) {
      llr = static_cast<Llr>(static_cast<int>(rng.below(255)) - 127);
    }
    EXPECT_EQ(decode_header(llrs), std::nullopt);
  }
}

TEST(FrameHeader, PlausibleFieldsAreRead) {
  const auto header = decode_header(llrs_of_fields(plausible_fields()));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->panel, (PanelSize{2048, 2048}));
}

TEST(FrameHeader, ReservedBitsAreIgnored) {
  BitVector fields = plausible_fields();
  for (std::size_t i = 120; i < 124; ++i) {
    fields[i] = 1;
  }
  EXPECT_TRUE(decode_header(llrs_of_fields(fields)));
}

TEST(FrameHeader, UnknownVersionIsDropped) {
  BitVector fields = plausible_fields();
  fields[3] = 1;
  EXPECT_EQ(decode_header(llrs_of_fields(fields)), std::nullopt);
  const auto decoded = decode_header_of_any_version(llrs_of_fields(fields));
  EXPECT_EQ(decoded.foreign_version, kFrameVersion + 1);
  EXPECT_EQ(decoded.header, std::nullopt);
}

TEST(FrameHeader, OurVersionAndNoiseAreNotForeign) {
  EXPECT_EQ(decode_header_of_any_version(llrs_of_fields(plausible_fields())).foreign_version,
            std::nullopt);
  EXPECT_EQ(decode_header_of_any_version(std::vector<Llr>(kHeaderCodedBits, 0)).foreign_version,
            std::nullopt);
}

TEST(FrameHeader, UnknownNodeIsDropped) {
  BitVector fields = plausible_fields();
  fields[4] = 1;
  fields[7] = 1;  // Eight is a laptop without a number.
  EXPECT_EQ(decode_header(llrs_of_fields(fields)), std::nullopt);
}

TEST(FrameHeader, EmptyPanelIsDropped) {
  for (const std::size_t side : {40U, 52U}) {
    BitVector fields = plausible_fields();
    fields[side] = 0;
    EXPECT_EQ(decode_header(llrs_of_fields(fields)), std::nullopt);
  }
}

TEST(FrameHeader, UnknownModeIsDropped) {
  BitVector fields = plausible_fields();
  for (std::size_t i = 64; i < 72; ++i) {
    fields[i] = 1;
  }
  EXPECT_EQ(decode_header(llrs_of_fields(fields)), std::nullopt);
}

}  // namespace
}  // namespace wccl::phy
