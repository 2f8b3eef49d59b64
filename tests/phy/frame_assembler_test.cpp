#include "phy/frame_assembler.h"

#include <set>

#include <gtest/gtest.h>

#include "awgn.h"
#include "phy/scrambler.h"
#include "phy/transmitter.h"
#include "test_camera.h"

namespace wccl::phy {
namespace {

using Payloads = std::vector<std::vector<std::byte>>;

constexpr Layer kLuma{0, kBothHalves};
constexpr PanelSize kPanel{640, 480};

/// Frames of a luma mode as soft bits, with no picture in between.
class SoftFrames {
 public:
  explicit SoftFrames(Rng& rng)
      : layout(std::make_shared<const Layout>(kPanel, *find_mode("luma4-0.5"))), rng_(rng) {}

  [[nodiscard]] FrameHeader header(std::uint16_t sequence) const {
    FrameHeader header;
    header.node = 3;
    header.sequence = sequence;
    header.panel = kPanel;
    header.mode = layout->mode_id();
    return header;
  }
  [[nodiscard]] std::size_t n_blocks() const { return layout->channel_blocks(0); }
  [[nodiscard]] Payloads random_payloads() const {
    Payloads payloads;
    while (payloads.size() < n_blocks()) {
      payloads.push_back(test::random_bytes(kBlockPayloadBytes, rng_));
    }
    return payloads;
  }
  /// [channel_bits]
  [[nodiscard]] std::vector<Llr> llrs(std::uint16_t sequence, const Payloads& payloads) const {
    const std::size_t n_coded = layout->block_bits(kLuma);
    BitVector bits(layout->channel_bits());
    const Interleaver interleaver(n_blocks(), n_coded);
    for (std::size_t block = 0; block < n_blocks(); ++block) {
      const BitVector coded =
          block < payloads.size() ? encode_block(payloads[block], n_coded) : encode_filler(n_coded);
      for (std::size_t bit = 0; bit < coded.size(); ++bit) {
        bits[interleaver.place_of({.block = block, .bit = bit})] = coded[bit];
      }
    }
    Scrambler(3, sequence, 0).apply(std::span(bits));
    return test::sure_llrs(bits);
  }

  std::shared_ptr<const Layout> layout;

 private:
  Rng& rng_;
};

std::size_t count_blocks(const FrameAssembler::Result& result, const Payloads& payloads) {
  std::size_t n = 0;
  for (const FrameReception& frame : result.frames) {
    for (const ReceivedBlock& block : frame.blocks) {
      EXPECT_EQ(block.payload, payloads.at(static_cast<std::size_t>(block.index)));
      ++n;
    }
  }
  return n;
}

class PlainPayloads : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(ZerosAndOnes, PlainPayloads, testing::Values(0x00, 0xff));

TEST_P(PlainPayloads, OfARenderedFrameAreReportedAndNotTakenForFiller) {
  for (const char* mode : {"luma8-0.5", "rgb8-1.5", "rgb8-1.8"}) {
    Rng rng(31);
    TestFrame frame = make_frame({1280, 800}, *find_mode(mode), 1, 40, rng);
    for (auto& payload : frame.payloads) {
      payload.assign(payload.size(), static_cast<std::byte>(GetParam()));
    }
    frame.image = Transmitter(frame.header.panel).render(frame.header, frame.payloads);
    TestView view;
    view.panel = &frame.image;
    view.corners = view_corners(frame.header.panel, {640, 400}, 1100, 0, 0);
    TestCamera camera;
    camera.width = 1280;
    camera.height = 800;
    const YuvImage picture = take_picture(camera, {&view, 1}, rng);
    const auto reception = Receiver().receive(picture.view(), Instant{});
    ASSERT_EQ(reception.screens.size(), 1U) << mode;
    std::set<int> slots;
    for (const FrameReception& received : reception.screens[0].frames) {
      for (const ReceivedBlock& block : received.blocks) {
        EXPECT_EQ(block.payload, frame.payloads.at(static_cast<std::size_t>(block.index))) << mode;
        slots.insert(block.index);
      }
    }
    EXPECT_EQ(slots.size(), frame.payloads.size()) << mode;
  }
}

// A few bits agree with anything by chance: how many, depends on how many have been seen.
TEST(FrameAssembler, ANarrowBandOfAFrameIsNotTakenForFiller) {
  Rng rng(32);
  const SoftFrames frames(rng);
  ASSERT_GE(frames.n_blocks(), 4U);
  FrameAssembler assembler(frames.layout, 3, 12);
  for (std::uint16_t sequence = 0; sequence < 30; ++sequence) {
    const Payloads payloads = frames.random_payloads();
    const auto llrs = frames.llrs(sequence, payloads);
    const std::size_t band = llrs.size() / 60 * (1 + sequence % 4);
    assembler.add_header(frames.header(sequence));
    assembler.add(sequence, kLuma, 0, std::span(llrs).first(band));
    std::size_t n = count_blocks(assembler.collect(), payloads);
    assembler.add(sequence, kLuma, band, std::span(llrs).subspan(band));
    n += count_blocks(assembler.collect(), payloads);
    EXPECT_EQ(n, frames.n_blocks()) << sequence;
  }
}

TEST(FrameAssembler, FillerIsKnownFromATenthOfItsBits) {
  Rng rng(33);
  const SoftFrames frames(rng);
  FrameAssembler assembler(frames.layout, 3, 12);
  for (std::uint16_t sequence = 0; sequence < 6; ++sequence) {
    const auto llrs = frames.llrs(sequence, {});
    assembler.add_header(frames.header(sequence));
    assembler.add(sequence, kLuma, 0, std::span(llrs).first(llrs.size() / 10));
    const auto result = assembler.collect();
    EXPECT_EQ(count_blocks(result, {}), 0U);
    EXPECT_EQ(result.blocks_bad, 0);
    EXPECT_FALSE(assembler.wants(sequence));
  }
}

TEST(FrameAssembler, KnowsTheLevelsOfDecodedBlocks) {
  Rng rng(5);
  const SoftFrames frames(rng);
  FrameAssembler assembler(frames.layout, 3, 12);
  assembler.add_header(frames.header(7));
  EXPECT_TRUE(assembler.lacks(7, kLuma));
  EXPECT_EQ(assembler.known_share(7, kLuma), 0);
  const std::vector<Llr> llrs = frames.llrs(7, frames.random_payloads());
  assembler.add(7, kLuma, 0, llrs);
  assembler.decode();
  EXPECT_EQ(assembler.known_share(7, kLuma), 1);
  EXPECT_FALSE(assembler.lacks(7, kLuma));
  const auto levels = assembler.levels(7, 0);
  ASSERT_EQ(levels.size(), llrs.size());
  for (std::size_t i = 0; i < llrs.size(); ++i) {
    ASSERT_EQ(levels[i], llrs[i] > 0 ? 1.0F : -1.0F) << i;
  }
  EXPECT_TRUE(assembler.levels(8, 0).empty());
}

TEST(FrameAssembler, StartsAnewWithALayerThatWasReset) {
  Rng rng(6);
  const SoftFrames frames(rng);
  FrameAssembler assembler(frames.layout, 3, 12);
  assembler.add_header(frames.header(7));
  const Payloads payloads = frames.random_payloads();
  std::vector<Llr> llrs = frames.llrs(7, payloads);
  std::vector<Llr> wrong(llrs.size());
  for (std::size_t i = 0; i < llrs.size(); ++i) {
    wrong[i] = static_cast<Llr>(-llrs[i]);
  }
  assembler.add(7, kLuma, 0, wrong);
  assembler.reset(7, kLuma);
  assembler.add(7, kLuma, 0, llrs);
  EXPECT_EQ(count_blocks(assembler.collect(), payloads), payloads.size());
}

}  // namespace
}  // namespace wccl::phy
