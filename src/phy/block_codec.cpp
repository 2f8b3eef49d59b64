#include "phy/block_codec.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "phy/crc.h"
#include "phy/ldpc_code.h"
#include "phy/ldpc_encoder.h"
#include "phy/scrambler.h"

namespace wccl::phy {
namespace {

static_assert(kBlockCodedBits == kLdpcCodedBits);

constexpr std::size_t kCrcBytes = 4;
constexpr std::size_t kMaxInfoBits = kBlockCodedBits * 5 / 6;
constexpr std::size_t kMaxInfoBytes = (kMaxInfoBits + 7) / 8;

/// Of at least 324. In a wrong word half of them are, so the CRC is not asked about noise, only
/// about words that are almost right; it is what keeps the error floor (1 block in 10^4 otherwise)
/// away.
constexpr int kMaxUnsatisfiedChecks = 16;

/// Filler's payload is the start of this channel's keystream, with node 0 and sequence 0: it is no
/// frame's.
constexpr int kFillerChannel = 255;

using InfoBits = std::array<std::uint8_t, kMaxInfoBits>;
using InfoBytes = std::array<std::byte, kMaxInfoBytes>;

void put_crc(std::span<std::byte> end, std::uint32_t crc) {
  for (std::size_t i = 0; i < kCrcBytes; ++i) {
    end[i] = static_cast<std::byte>(crc >> (8 * i));
  }
}

std::uint32_t get_crc(std::span<const std::byte> end) {
  std::uint32_t crc = 0;
  for (std::size_t i = 0; i < kCrcBytes; ++i) {
    crc |= std::to_integer<std::uint32_t>(end[i]) << (8 * i);
  }
  return crc;
}

BitVector encode(std::span<const std::byte> payload, std::uint32_t crc, CodeRate rate) {
  InfoBytes bytes{};
  std::copy(payload.begin(), payload.end(), bytes.begin());
  put_crc(std::span(bytes).subspan(payload.size(), kCrcBytes), crc);
  InfoBits bits{};  // Bits behind the CRC that make up no byte stay 0.
  const std::size_t n_bits = 8 * (payload.size() + kCrcBytes);
  for (std::size_t i = 0; i < n_bits; ++i) {
    bits[i] =
        static_cast<std::uint8_t>((std::to_integer<unsigned>(bytes[i / 8]) >> (7 - i % 8)) & 1U);
  }
  BitVector coded(kBlockCodedBits);
  ldpc_encode(std::span(bits).first(ldpc_code(rate).info_bits()), rate, coded);
  return coded;
}

InfoBytes pack(std::span<const std::uint8_t> bits) {
  InfoBytes bytes{};
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bytes[i / 8] |= static_cast<std::byte>(bits[i] << (7 - i % 8));
  }
  return bytes;
}

}  // namespace

std::size_t block_payload_bytes(CodeRate rate) {
  if (rate == CodeRate::kNone) {
    return 0;
  }
  return ldpc_code(rate).info_bits() / 8 - kCrcBytes;
}

BitVector encode_block(std::span<const std::byte> payload, CodeRate rate) {
  assert(payload.size() == block_payload_bytes(rate));
  return encode(payload, crc32(payload), rate);
}

BitVector encode_filler(CodeRate rate) {
  InfoBits bits{};
  const std::size_t n_bytes = block_payload_bytes(rate);
  Scrambler(0, 0, kFillerChannel).apply(std::span(bits).first(8 * n_bytes));
  const InfoBytes bytes = pack(bits);
  const auto payload = std::span(bytes).first(n_bytes);
  return encode(payload, crc32(payload, kFillerCrcInitial), rate);
}

std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs,
                                         CodeRate rate,
                                         LdpcDecoder& decoder) {
  assert(llrs.size() == kBlockCodedBits);
  InfoBits all_bits;
  const auto bits = std::span(all_bits).first(ldpc_code(rate).info_bits());
  const LdpcResult result = decoder.decode(llrs, rate, bits);
  if (result.unsatisfied_checks > kMaxUnsatisfiedChecks) {
    return std::nullopt;
  }

  const std::size_t n_payload = block_payload_bytes(rate);
  const InfoBytes bytes = pack(bits);
  const auto payload = std::span(bytes).first(n_payload);
  const std::uint32_t crc = get_crc(std::span(bytes).subspan(n_payload, kCrcBytes));
  const auto spare = bits.subspan(8 * (n_payload + kCrcBytes));
  if (std::any_of(spare.begin(), spare.end(), [](std::uint8_t bit) { return bit != 0; })) {
    return std::nullopt;
  }

  DecodedBlock block;
  block.iterations = result.iterations;
  if (crc == crc32(payload)) {
    block.payload.assign(payload.begin(), payload.end());
    return block;
  }
  if (crc == crc32(payload, kFillerCrcInitial)) {
    block.filler = true;
    return block;
  }
  return std::nullopt;
}

std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs, CodeRate rate) {
  LdpcDecoder decoder;
  return decode_block(llrs, rate, decoder);
}

}  // namespace wccl::phy
