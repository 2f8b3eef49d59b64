#include <array>

#include <gtest/gtest.h>

#include "link/endpoint.h"
#include "link/peer_view.h"
#include "simulated_air.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

NodeOptions options_of(int world_size) {
  NodeOptions options;
  options.world_size = world_size;
  options.epoch = 9;
  return options;
}

/// A capture in which `peer` shows a frame with one block that bears `packet`.
phy::CaptureReception showing(std::uint8_t peer,
                              std::uint16_t sequence,
                              phy::ModeId mode,
                              const Packet& packet,
                              Instant now) {
  phy::ScreenReception screen;
  screen.node = peer;
  phy::FrameHeader header;
  header.node = peer;
  header.sequence = sequence;
  header.mode = mode;
  screen.frames.push_back({header, {{0, encode_packet(packet)}}});
  return {now, {screen}};
}

TEST(EndpointLimits, AcknowledgementsThatFillTheFrameLeaveNoCopy) {
  const auto four_blocks = [](phy::ModeId) { return std::vector<std::size_t>(4, 117); };
  Endpoint endpoint(options_of(8), test_ladder(), four_blocks);
  const Bytes body(1);
  // Figures of four modes and a finished message far from the others: the longest of acks.
  const DataPacket far_ahead{0, kMessageWindow - 1, 0, body};
  Instant now{1s};
  for (std::uint16_t sequence = 0; sequence < 12; ++sequence) {
    now += 50ms;
    for (std::uint8_t peer = 1; peer < 8; ++peer) {
      const auto mode = static_cast<phy::ModeId>(std::min(sequence / 3, 3));
      endpoint.on_reception(showing(peer, sequence, mode, far_ahead, now), now);
    }
  }
  const auto frame = endpoint.next_frame(now);
  ASSERT_TRUE(frame.has_value());
  ASSERT_EQ(frame->payloads.size(), 4U);
  for (const auto& payload : frame->payloads) {
    EXPECT_EQ(payload.size(), 117U);
  }
}

TEST(EndpointLimits, AcknowledgementsCountAfterAnAbsenceInWhichSequencesWentRound) {
  Endpoint endpoint(options_of(2), test_ladder(), test_block_sizes);
  ASSERT_TRUE(endpoint.send(std::array<Rank, 1>{1}, 1, Bytes(10)).has_value());
  Instant now{1s};
  ASSERT_TRUE(endpoint.next_frame(now).has_value());
  AckPacket ack;
  ack.epoch = 9;
  endpoint.on_reception(showing(1, 100, 0, ack, now), now);
  now += 1h;
  ack.floor = 1;
  endpoint.on_reception(showing(1, 100 + 40'000, 0, ack, now), now);
  EXPECT_TRUE(endpoint.all_acknowledged());
}

TEST(EndpointLimits, FramesSettleAfterAnAbsenceInWhichSequencesWentRound) {
  PeerView view(3s);
  Instant now{1s};
  const auto see = [&](std::uint16_t sequence) {
    const auto capture = showing(1, sequence, 0, ProbePacket{}, now);
    (void)view.on_frame(capture.screens[0].frames[0], now);
    view.on_screen(capture.screens[0], kUsualCapturePeriod, now);
  };
  see(100);
  now += 1h;
  see(100 + 40'000);
  AckPacket ack;
  view.describe(ack);
  EXPECT_EQ(ack.settled, std::uint16_t{100 + 40'000 - 2});
}

}  // namespace
}  // namespace wccl::link
