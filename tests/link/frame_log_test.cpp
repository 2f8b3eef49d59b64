#include "link/frame_log.h"

#include <gtest/gtest.h>

#include "link/pacing.h"

namespace wccl::link {
namespace {

constexpr std::uint8_t kRanks1And2 = 0b110;
constexpr int kBlocks = 10;

/// A log of frames of one mode at the tight hold, whose parities are given.
FrameLog log_of(std::initializer_list<int> parities) {
  FrameLog log;
  std::uint64_t sequence = 100;
  for (const int parity : parities) {
    SentFrame frame;
    frame.sequence = sequence++;
    frame.hold = kTightHold;
    frame.parity = parity;
    frame.blocks = kBlocks;
    log.add(frame);
  }
  return log;
}

TEST(FrameLog, MeasuresOneParityAlone) {
  FrameLog log = log_of({0, 0, 1, 0, 1});  // The first counts for nothing.
  for (std::uint64_t sequence = 100; sequence < 105; ++sequence) {
    SentFrame* const frame = log.find(sequence);
    ASSERT_NE(frame, nullptr);
    frame->outcomes[1] = FrameOutcome{frame->parity == 0 ? kBlocks : 0, 1};
  }
  FrameQuery query{0, kTightHold, 0, 200, 8};
  EXPECT_EQ(log.measure(query, 0b10)->success, 0.5);
  query.parity = 0;
  EXPECT_EQ(log.measure(query, 0b10)->success, 1);
  EXPECT_EQ(log.measure(query, 0b10)->frames, 2);
  query.parity = 1;
  EXPECT_EQ(log.measure(query, 0b10)->success, 0);
}

TEST(FrameLog, AFrameIsReportedWhenAllPeersHaveSpoken) {
  FrameLog log = log_of({0});
  EXPECT_FALSE(log.is_reported(100, kRanks1And2));
  log.find(100)->outcomes[1] = FrameOutcome{kBlocks, 1};
  EXPECT_FALSE(log.is_reported(100, kRanks1And2));
  log.find(100)->outcomes[2] = FrameOutcome{0, 1};
  EXPECT_TRUE(log.is_reported(100, kRanks1And2));
  EXPECT_FALSE(log.is_reported(101, kRanks1And2));
}

TEST(FrameLog, OnlyFramesAfterTheLastReportAreOnTheirWay) {
  FrameLog log = log_of({1, 0, 0});
  EXPECT_TRUE(log.is_on_its_way(1));
  log.find(101)->outcomes[2] = FrameOutcome{kBlocks, 1};
  EXPECT_FALSE(log.is_on_its_way(1));
  EXPECT_TRUE(log.is_on_its_way(0));
}

}  // namespace
}  // namespace wccl::link
