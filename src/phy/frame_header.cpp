#include "phy/frame_header.h"

#include <cassert>

#include "phy/convolutional_code.h"
#include "phy/convolutional_encoder.h"
#include "phy/crc.h"
#include "phy/viterbi_decoder.h"

namespace wccl::phy {
namespace {

constexpr int kFieldBits = 124;
constexpr int kCrcBits = 16;
static_assert(2 * (kFieldBits + kCrcBits + ConvolutionalCode::kTailBits) == kHeaderCodedBits);

void put(BitVector& bits, std::uint32_t value, int n_bits) {
  for (int shift = n_bits - 1; shift >= 0; --shift) {
    bits.push_back(static_cast<std::uint8_t>((value >> shift) & 1U));
  }
}

/// Takes fields off the front in the order in which put() appended them.
class FieldReader {
 public:
  explicit FieldReader(std::span<const std::uint8_t> bits) : rest_(bits) {}

  [[nodiscard]] std::uint32_t get(std::size_t n_bits) {
    std::uint32_t value = 0;
    for (const std::uint8_t bit : rest_.first(n_bits)) {
      value = (value << 1) | bit;
    }
    rest_ = rest_.subspan(n_bits);
    return value;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

BitVector pack_fields(const FrameHeader& header) {
  BitVector bits;
  bits.reserve(kFieldBits + kCrcBits);
  put(bits, header.version, 4);
  put(bits, header.node, 4);
  put(bits, header.epoch, 16);
  put(bits, header.sequence, 16);
  put(bits, static_cast<std::uint32_t>(header.panel.width_px), 12);
  put(bits, static_cast<std::uint32_t>(header.panel.height_px), 12);
  put(bits, header.mode, 8);
  put(bits, header.transmit_time_ms, 16);
  put(bits, header.feedback, 32);
  put(bits, 0, 4);  // Reserved: sent as 0, not looked at.
  return bits;
}

FrameHeader unpack_fields(std::span<const std::uint8_t> bits) {
  FieldReader reader(bits);
  FrameHeader header;
  header.version = static_cast<std::uint8_t>(reader.get(4));
  header.node = static_cast<std::uint8_t>(reader.get(4));
  header.epoch = static_cast<std::uint16_t>(reader.get(16));
  header.sequence = static_cast<std::uint16_t>(reader.get(16));
  header.panel.width_px = static_cast<int>(reader.get(12));
  header.panel.height_px = static_cast<int>(reader.get(12));
  header.mode = static_cast<ModeId>(reader.get(8));
  header.transmit_time_ms = static_cast<std::uint16_t>(reader.get(16));
  header.feedback = reader.get(32);
  return header;
}

bool is_plausible(const FrameHeader& header) {
  return header.node <= kUnnumberedNode && header.panel.width_px > 0 &&
         header.panel.height_px > 0 && find_mode(header.mode) != nullptr;
}

}  // namespace

BitVector encode_header(const FrameHeader& header) {
  assert(header.version < 16 && header.node <= kUnnumberedNode);
  assert(header.panel.width_px > 0 && header.panel.width_px < 4096);
  assert(header.panel.height_px > 0 && header.panel.height_px < 4096);
  BitVector bits = pack_fields(header);
  put(bits, crc16(bits), kCrcBits);
  return convolutional_encode(bits);
}

DecodedHeader decode_header_of_any_version(std::span<const Llr> llrs) {
  assert(llrs.size() == kHeaderCodedBits);
  const BitVector bits = viterbi_decode(llrs);
  const std::span<const std::uint8_t> fields(bits.data(), kFieldBits);
  FieldReader checksum(std::span<const std::uint8_t>(bits).subspan(kFieldBits));
  if (checksum.get(kCrcBits) != crc16(fields)) {
    return {};
  }
  const FrameHeader header = unpack_fields(fields);
  if (header.version != kFrameVersion) {
    return {std::nullopt, header.version};
  }
  if (!is_plausible(header)) {
    return {};
  }
  return {header, std::nullopt};
}

std::optional<FrameHeader> decode_header(std::span<const Llr> llrs) {
  return decode_header_of_any_version(llrs).header;
}

}  // namespace wccl::phy
