#include "phy/block_codec.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "phy/crc.h"
#include "phy/ldpc_encoder.h"
#include "phy/scrambler.h"

namespace wccl::phy {
namespace {

constexpr std::size_t kCrcBytes = 4;
constexpr std::size_t kInfoBytes = kLdpcInfoBits / 8;
static_assert(kInfoBytes * 8 == kLdpcInfoBits && kBlockPayloadBytes + kCrcBytes == kInfoBytes);

/// Of the 256 of the core. In a wrong word half of them are, so the CRC is not asked about noise,
/// only about words that are almost right.
constexpr int kMaxUnsatisfiedChecks = 16;

/// Filler's payload is the start of this channel's keystream, with node 0 and sequence 0: it is no
/// frame's.
constexpr int kFillerChannel = 255;

using InfoBits = std::array<std::uint8_t, kLdpcInfoBits>;
using InfoBytes = std::array<std::byte, kInfoBytes>;

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

BitVector encode(std::span<const std::byte> payload, std::uint32_t crc, std::size_t n_coded_bits) {
  InfoBytes bytes{};
  std::copy(payload.begin(), payload.end(), bytes.begin());
  put_crc(std::span(bytes).subspan(payload.size(), kCrcBytes), crc);
  InfoBits bits{};
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] =
        static_cast<std::uint8_t>((std::to_integer<unsigned>(bytes[i / 8]) >> (7 - i % 8)) & 1U);
  }
  BitVector coded(n_coded_bits);
  ldpc_encode(bits, coded);
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

BitVector encode_block(std::span<const std::byte> payload, std::size_t n_coded_bits) {
  assert(payload.size() == kBlockPayloadBytes);
  return encode(payload, crc32(payload), n_coded_bits);
}

BitVector encode_filler(std::size_t n_coded_bits) {
  InfoBits bits{};
  Scrambler(0, 0, kFillerChannel).apply(std::span(bits).first(8 * kBlockPayloadBytes));
  const InfoBytes bytes = pack(bits);
  const auto payload = std::span(bytes).first(kBlockPayloadBytes);
  return encode(payload, crc32(payload, kFillerCrcInitial), n_coded_bits);
}

std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs, LdpcDecoder& decoder) {
  InfoBits bits;
  const LdpcResult result = decoder.decode(llrs, bits);
  if (result.unsatisfied_checks > kMaxUnsatisfiedChecks) {
    return std::nullopt;
  }

  const InfoBytes bytes = pack(bits);
  const auto payload = std::span(bytes).first(kBlockPayloadBytes);
  const std::uint32_t crc = get_crc(std::span(bytes).subspan(kBlockPayloadBytes));
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

std::optional<DecodedBlock> decode_block(std::span<const Llr> llrs) {
  LdpcDecoder decoder;
  return decode_block(llrs, decoder);
}

}  // namespace wccl::phy
