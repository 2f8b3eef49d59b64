// phy::decode_header_of_any_version(): soft bits of a header strip, and the Viterbi decoder below.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "fuzz/choices.h"
#include "fuzz/target.h"
#include "phy/frame_header.h"

namespace wccl::fuzz {
namespace {

using namespace phy;

std::vector<Llr> to_llrs(const BitVector& bits) {
  std::vector<Llr> llrs;
  for (const std::uint8_t bit : bits) {
    llrs.push_back(bit == 0 ? Llr{64} : Llr{-64});
  }
  return llrs;
}

/// Our header's code behind any fields at all: what a hostile screen shows.
void check_fields(Choices& choices) {
  FrameHeader header;
  header.version = static_cast<std::uint8_t>(choices.byte() & 0xFU);
  header.node = static_cast<std::uint8_t>(choices.below(kUnnumberedNode + 1));
  header.epoch = choices.number<std::uint16_t>();
  header.sequence = choices.number<std::uint16_t>();
  header.panel = {1 + choices.number<std::uint16_t>() % 4095,
                  1 + choices.number<std::uint16_t>() % 4095};
  header.mode = choices.byte();
  header.transmit_time_ms = choices.number<std::uint16_t>();
  header.feedback = choices.number<std::uint32_t>();
  const DecodedHeader decoded = decode_header_of_any_version(to_llrs(encode_header(header)));
  if (header.version != kFrameVersion) {
    require(!decoded.header && decoded.foreign_version == header.version);
  } else if (find_mode(header.mode) == nullptr) {
    require(!decoded.header && !decoded.foreign_version);
  } else {
    require(decoded.header == header);
  }
}

void check_soft_bits(Choices& choices) {
  std::vector<Llr> llrs(kHeaderCodedBits);
  const auto bytes = choices.rest();
  std::transform(bytes.begin(),
                 bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), llrs.size())),
                 llrs.begin(),
                 [](std::byte byte) { return std::max(static_cast<Llr>(byte), Llr{-127}); });
  const DecodedHeader decoded = decode_header_of_any_version(llrs);
  require(!decoded.header || !decoded.foreign_version);
  require(decoded.foreign_version != kFrameVersion);
  require(decode_header(llrs) == decoded.header);
  if (decoded.foreign_version) {
    require(*decoded.foreign_version < 16);
  }
  if (decoded.header) {
    require(decoded.header->node <= kUnnumberedNode && find_mode(decoded.header->mode) != nullptr);
    require(decode_header(to_llrs(encode_header(*decoded.header))) == decoded.header);
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  Choices choices(input);
  if (choices.coin()) {
    check_fields(choices);
  } else {
    check_soft_bits(choices);
  }
}

std::vector<Bytes> seeds() {
  FrameHeader header;
  header.node = 3;
  header.epoch = 0xBEEF;
  header.sequence = 40'000;
  header.panel = {1920, 1200};
  header.mode = 5;
  header.feedback = 0x01020304;
  FrameHeader foreign = header;
  foreign.version = kFrameVersion + 1;
  std::vector<Bytes> seeds{Bytes(21, std::byte{1})};
  for (const FrameHeader& each : {header, foreign}) {
    Bytes seed(1);
    for (const Llr llr : to_llrs(encode_header(each))) {
      seed.push_back(static_cast<std::byte>(llr));
    }
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

}  // namespace wccl::fuzz
