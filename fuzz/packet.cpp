// link::parse_block(): blocks as a stranger's screen may show them.
#include "link/packet.h"

#include <algorithm>
#include <array>
#include <variant>

#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace link;

/// What docs/packet_format.md promises of packets that are accepted.
void check_bounds(const DataPacket& data) {
  require(!data.body.empty());
  require(data.offset + data.body.size() <= kMaxMessageBytes + kMessageHeadBytes);
}
void check_bounds(const StatusPacket& /*status*/) {}
void check_bounds(const ProbePacket& /*probe*/) {}
void check_bounds(const AckPacket& ack) {
  require(ack.frames.size() <= kMaxFrameReports);
  require(ack.done.size() <= kMessageWindow / 8);
  for (const PartialMessage& partial : ack.partials) {
    require(partial.message_id >= ack.floor);
    std::uint64_t end = partial.start;
    for (const AckRun& run : partial.runs) {
      end += std::uint64_t{run.gap} + run.length;
    }
    require(partial.runs.empty() || end <= kMaxMessageBytes + kMessageHeadBytes);
  }
}

Bytes encode(const ParsedBlock& parsed) {
  Bytes block;
  for (const Packet& packet : parsed.packets) {
    const Bytes bytes = encode_packet(packet);
    block.insert(block.end(), bytes.begin(), bytes.end());
  }
  return block;
}

AckPacket example_ack() {
  AckPacket ack;
  ack.peer = 1;
  ack.epoch = 0x1234;
  ack.settled = 77;
  ack.quality_mode = 3;
  ack.snr = {100, 90, 80};
  ack.cell_px = 24;
  ack.capture_period = 8;
  ack.frames = {{48, 7}, {0, 0}, {300, 1}};
  ack.floor = 1000;
  ack.done = {0x05, 0x80};
  ack.partials = {{1001, 0, true, {{12, 900}, {100, 70'000}}}, {1003, 4096, false, {{0, 1}}}};
  return ack;
}

}  // namespace

void check(std::span<const std::byte> input) {
  const ParsedBlock parsed = parse_block(input);
  require(parsed.n_rejected >= 0);
  for (const Packet& packet : parsed.packets) {
    std::visit([](const auto& typed) { check_bounds(typed); }, packet);
  }
  const Bytes block = encode(parsed);
  const ParsedBlock again = parse_block(block);
  require(again.n_rejected == 0 && again.packets.size() == parsed.packets.size());
  // Encoding is one to one, so that equal bytes are equal packets.
  require(encode(again) == block);
}

std::vector<Bytes> seeds() {
  const Bytes body(40, std::byte{0x5A});
  const std::array<Packet, 5> packets{DataPacket{0x02, 7, 0, body},
                                      DataPacket{0x82, 300, 70'000, body}, StatusPacket{6, 47},
                                      example_ack(), ProbePacket{}};
  std::vector<Bytes> seeds;
  Bytes all;
  for (const Packet& packet : packets) {
    seeds.push_back(encode_packet(packet));
    all.insert(all.end(), seeds.back().begin(), seeds.back().end());
  }
  all.resize(all.size() + 8);
  seeds.push_back(std::move(all));
  return seeds;
}

}  // namespace wccl::fuzz
