#include "link/packet.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace wccl::link {
namespace {

enum class PacketType : unsigned { kData = 1, kStatus = 2, kAck = 3, kProbe = 4 };

// First byte of a packet: version (2 bits), sealed (1 bit), type (5 bits).
constexpr unsigned kSealedFlag = 0x20;
constexpr unsigned kTypeMask = 0x1F;

constexpr std::uint8_t kPurestClass = 7;
// Less than half of the light is as bad as half.
constexpr double kLeastPurity = 0.5;

constexpr unsigned kAckPeerMask = 0x0F;
constexpr unsigned kAckSettledFlag = 0x40;
constexpr unsigned kAckFirstFlag = 0x20;
constexpr unsigned kAckLastFlag = 0x80;

void put_varint(ByteWriter& writer, std::uint32_t value) {
  while (value >= 0x80) {
    writer.put(static_cast<std::uint8_t>(value | 0x80U));
    value >>= 7;
  }
  writer.put(static_cast<std::uint8_t>(value));
}

std::optional<std::uint32_t> get_varint(ByteReader& reader) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    const auto byte = reader.get<std::uint8_t>();
    if (!byte) {
      return std::nullopt;
    }
    value |= std::uint64_t{*byte & 0x7FU} << shift;
    if ((*byte & 0x80U) == 0) {
      if (value > UINT32_MAX) {
        return std::nullopt;
      }
      return static_cast<std::uint32_t>(value);
    }
  }
  return std::nullopt;
}

void put_type(ByteWriter& writer, PacketType type) {
  writer.put(static_cast<std::uint8_t>((kPacketVersion << 6) | static_cast<unsigned>(type)));
}

void put_body(ByteWriter& writer, const DataPacket& data) {
  put_type(writer, PacketType::kData);
  writer.put(data.destinations);
  put_varint(writer, data.message_id);
  put_varint(writer, data.offset);
  writer.put_bytes(data.body);
}

void put_body(ByteWriter& writer, const StatusPacket& status) {
  put_type(writer, PacketType::kStatus);
  put_varint(writer, status.oldest_message);
  writer.put(status.blocks_used);
}

void put_partial(ByteWriter& writer, const PartialMessage& partial, std::uint32_t floor) {
  assert(partial.message_id >= floor);
  put_varint(writer, partial.message_id - floor);
  put_varint(writer, partial.start);
  put_varint(writer,
             static_cast<std::uint32_t>(partial.runs.size() * 2) + (partial.complete ? 1 : 0));
  for (const AckRun& run : partial.runs) {
    put_varint(writer, run.gap);
    put_varint(writer, run.length);
  }
}

void put_body(ByteWriter& writer, const AckPacket& ack) {
  assert(ack.frames.size() <= kMaxFrameReports && ack.done.size() <= kMessageWindow / 8);
  put_type(writer, PacketType::kAck);
  writer.put(static_cast<std::uint8_t>(ack.peer | (ack.settled ? kAckSettledFlag : 0U) |
                                       (ack.first ? kAckFirstFlag : 0U) |
                                       (ack.last ? kAckLastFlag : 0U)));
  writer.put(ack.epoch);
  if (ack.settled) {
    writer.put(*ack.settled);
  }
  writer.put(ack.quality_mode);
  for (const std::uint8_t snr : ack.snr) {
    writer.put(snr);
  }
  writer.put(ack.cell_px);
  writer.put(ack.capture_period);
  writer.put(static_cast<std::uint8_t>(ack.frames.size()));
  for (const FrameReport& report : ack.frames) {
    assert(report.purity <= kPurestClass);
    put_varint(writer, (kPurestClass + 1U) * report.blocks_ok + report.purity);
  }
  put_varint(writer, ack.floor);
  writer.put(static_cast<std::uint8_t>(ack.done.size()));
  for (const std::uint8_t bits : ack.done) {
    writer.put(bits);
  }
  for (const PartialMessage& partial : ack.partials) {
    put_partial(writer, partial, ack.floor);
  }
}

void put_body(ByteWriter& writer, const ProbePacket& /*probe*/) {
  put_type(writer, PacketType::kProbe);
}

std::optional<Packet> parse_data(ByteReader reader) {
  const auto destinations = reader.get<std::uint8_t>();
  const auto id = get_varint(reader);
  const auto offset = get_varint(reader);
  if (!destinations || !id || !offset) {
    return std::nullopt;
  }
  const std::size_t end = std::size_t{*offset} + reader.rest().size();
  if (reader.rest().empty() || end > kMaxMessageBytes + kMessageHeadBytes) {
    return std::nullopt;
  }
  return DataPacket{*destinations, *id, *offset, reader.rest()};
}

std::optional<Packet> parse_status(ByteReader reader) {
  const auto oldest = get_varint(reader);
  const auto used = reader.get<std::uint16_t>();
  if (!oldest || !used || !reader.rest().empty()) {
    return std::nullopt;
  }
  return StatusPacket{*oldest, *used};
}

std::optional<PartialMessage> parse_partial(ByteReader& reader, std::uint32_t floor) {
  const auto distance = get_varint(reader);
  const auto start = get_varint(reader);
  const auto n_runs_and_flag = get_varint(reader);
  if (!distance || !start || !n_runs_and_flag) {
    return std::nullopt;
  }
  if (*distance > UINT32_MAX - floor) {
    return std::nullopt;
  }
  PartialMessage partial{floor + *distance, *start, (*n_runs_and_flag & 1U) != 0, {}};
  std::uint64_t end = *start;
  for (std::uint32_t i = 0; i < *n_runs_and_flag / 2; ++i) {
    const auto gap = get_varint(reader);
    const auto length = get_varint(reader);
    if (!gap || !length) {
      return std::nullopt;
    }
    end += std::uint64_t{*gap} + *length;
    if (end > kMaxMessageBytes + kMessageHeadBytes) {
      return std::nullopt;
    }
    partial.runs.push_back({*gap, *length});
  }
  return partial;
}

/// Fields of an ack in front of its list of messages.
bool parse_ack_reports(ByteReader& reader, AckPacket& ack) {
  const auto quality_mode = reader.get<std::uint8_t>();
  if (!quality_mode) {
    return false;
  }
  ack.quality_mode = *quality_mode;
  for (std::uint8_t& snr : ack.snr) {
    const auto value = reader.get<std::uint8_t>();
    if (!value) {
      return false;
    }
    snr = *value;
  }
  const auto cell_px = reader.get<std::uint8_t>();
  const auto capture_period = reader.get<std::uint8_t>();
  const auto n_frames = reader.get<std::uint8_t>();
  if (!cell_px || !capture_period || !n_frames || *n_frames > kMaxFrameReports) {
    return false;
  }
  ack.cell_px = *cell_px;
  ack.capture_period = *capture_period;
  for (int i = 0; i < *n_frames; ++i) {
    const auto report = get_varint(reader);
    if (!report || *report / (kPurestClass + 1U) > UINT16_MAX) {
      return false;
    }
    ack.frames.push_back({static_cast<std::uint16_t>(*report / (kPurestClass + 1U)),
                          static_cast<std::uint8_t>(*report % (kPurestClass + 1U))});
  }
  return true;
}

std::optional<Packet> parse_ack(ByteReader reader) {
  AckPacket ack;
  const auto flags = reader.get<std::uint8_t>();
  const auto epoch = reader.get<std::uint16_t>();
  if (!flags || !epoch) {
    return std::nullopt;
  }
  ack.peer = static_cast<std::uint8_t>(*flags & kAckPeerMask);
  ack.first = (*flags & kAckFirstFlag) != 0;
  ack.last = (*flags & kAckLastFlag) != 0;
  ack.epoch = *epoch;
  if ((*flags & kAckSettledFlag) != 0) {
    ack.settled = reader.get<std::uint16_t>();
    if (!ack.settled) {
      return std::nullopt;
    }
  }
  if (!parse_ack_reports(reader, ack)) {
    return std::nullopt;
  }
  const auto floor = get_varint(reader);
  const auto n_done = reader.get<std::uint8_t>();
  if (!floor || !n_done || *n_done > kMessageWindow / 8) {
    return std::nullopt;
  }
  const auto done = reader.get_bytes(*n_done);
  if (!done) {
    return std::nullopt;
  }
  ack.floor = *floor;
  for (const std::byte bits : *done) {
    ack.done.push_back(std::to_integer<std::uint8_t>(bits));
  }
  while (!reader.rest().empty()) {
    auto partial = parse_partial(reader, ack.floor);
    if (!partial) {
      return std::nullopt;
    }
    ack.partials.push_back(*std::move(partial));
  }
  return ack;
}

std::optional<Packet> parse_packet(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto first = reader.get<std::uint8_t>();
  if (!first || *first >> 6 != kPacketVersion || (*first & kSealedFlag) != 0) {
    return std::nullopt;
  }
  switch (static_cast<PacketType>(*first & kTypeMask)) {
    case PacketType::kData:
      return parse_data(reader);
    case PacketType::kStatus:
      return parse_status(reader);
    case PacketType::kAck:
      return parse_ack(reader);
    case PacketType::kProbe:
      return ProbePacket{};
  }
  return std::nullopt;
}

}  // namespace

std::uint8_t purity_class(double share) {
  const double place = (share - kLeastPurity) / (1 - kLeastPurity) * kPurestClass;
  return static_cast<std::uint8_t>(std::clamp(std::floor(place) + 1, 1.0, double{kPurestClass}));
}

double share_of_purity(std::uint8_t purity) {
  // The best class is that of clean frames.
  return purity >= kPurestClass ? 1
                                : kLeastPurity + (1 - kLeastPurity) * (purity - 0.5) / kPurestClass;
}

ParsedBlock parse_block(std::span<const std::byte> block) {
  ParsedBlock parsed;
  ByteReader reader(block);
  while (!reader.rest().empty()) {
    const auto length = get_varint(reader);
    if (length && *length == 0) {
      break;
    }
    const auto bytes = length ? reader.get_bytes(*length) : std::nullopt;
    if (!bytes) {
      ++parsed.n_rejected;
      break;
    }
    if (auto packet = parse_packet(*bytes)) {
      parsed.packets.push_back(*std::move(packet));
    } else {
      ++parsed.n_rejected;
    }
  }
  return parsed;
}

std::size_t varint_bytes(std::uint32_t value) {
  std::size_t n = 1;
  for (; value >= 0x80; value >>= 7) {
    ++n;
  }
  return n;
}

std::vector<std::byte> encode_packet(const Packet& packet) {
  ByteWriter body;
  std::visit([&body](const auto& typed) { put_body(body, typed); }, packet);
  ByteWriter framed;
  put_varint(framed, static_cast<std::uint32_t>(body.size()));
  framed.put_bytes(body.take());
  return framed.take();
}

std::size_t max_body_bytes(std::size_t room, std::uint32_t message_id, std::uint32_t offset) {
  const std::size_t head = 2 + varint_bytes(message_id) + varint_bytes(offset);
  for (std::size_t prefix = 1; prefix <= 3 && room > prefix + head; ++prefix) {
    const std::size_t length = room - prefix;
    if (varint_bytes(static_cast<std::uint32_t>(length)) <= prefix) {
      return length - head;
    }
  }
  return 0;
}

}  // namespace wccl::link
