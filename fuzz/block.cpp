// phy::decode_block(): soft bits of a code block, and the LDPC decoder below.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/rng.h"
#include "fuzz/choices.h"
#include "fuzz/target.h"
#include "phy/block_codec.h"
#include "phy/code_rate.h"
#include "phy/crc.h"

namespace wccl::fuzz {
namespace {

using namespace phy;

// A frame's blocks share its bits, so that their lengths are between those of two rates.
constexpr std::size_t kMostCodedBits = 8000;

std::vector<Llr> to_llrs(const BitVector& bits) {
  std::vector<Llr> llrs;
  for (const std::uint8_t bit : bits) {
    llrs.push_back(bit == 0 ? Llr{16} : Llr{-16});
  }
  return llrs;
}

/// One that to_llr() can give: never -128.
Llr llr_of(std::uint64_t noise) {
  return static_cast<Llr>(static_cast<int>(noise % 255) - 127);
}

/// Overwrites runs of soft bits with what the input says.
void spoil(std::vector<Llr>& llrs, Choices& choices) {
  while (choices.any_left()) {
    const std::size_t begin = choices.number<std::uint16_t>() % llrs.size();
    const std::size_t n = std::min<std::size_t>(llrs.size() - begin, 1 + choices.byte() * 4U);
    const std::uint8_t kind = choices.byte();
    Rng noise(kind);
    for (std::size_t i = begin; i < begin + n; ++i) {
      llrs[i] = llr_of(kind < 128 ? kind * 2U : noise.next());
    }
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  Choices choices(input);
  const std::size_t n_coded = kLdpcLeastCodedBits + choices.number<std::uint16_t>() %
                                                        (kMostCodedBits - kLdpcLeastCodedBits);
  const bool is_filler = choices.coin();
  Bytes payload(kBlockPayloadBytes);
  std::ranges::copy(choices.bytes(choices.below(payload.size() + 1)), payload.begin());
  auto llrs = to_llrs(is_filler ? encode_filler(n_coded) : encode_block(payload, n_coded));
  const bool is_clean = !choices.any_left();
  spoil(llrs, choices);

  LdpcDecoder decoder(12);
  const auto decoded = decode_block(llrs, decoder);
  require(!is_clean || n_coded < block_coded_bits(CodeRate::k8_9) ||
          (decoded && decoded->filler == is_filler));
  if (!decoded) {
    return;
  }
  require(decoded->iterations >= 0 && decoded->iterations <= 12);
  require(decoded->payload.size() == (decoded->filler ? 0 : kBlockPayloadBytes));
  if (!decoded->filler) {
    // Nothing but what was sent passes the CRC-32: noise that does is one in four thousand million.
    require(!is_filler && decoded->payload == payload);
  }
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const CodeRate rate : kCodeRates) {
    const auto extra = static_cast<std::uint16_t>(block_coded_bits(rate) - kLdpcLeastCodedBits);
    const auto low = static_cast<std::byte>(extra);
    const auto high = static_cast<std::byte>(extra >> 8U);
    const auto n_spoiled = static_cast<std::byte>(40);
    seeds.push_back({low, high, std::byte{0}, std::byte{4}, std::byte{1}, std::byte{2},
                     std::byte{3}, std::byte{4}});
    seeds.push_back({low, high, std::byte{0}, std::byte{0}, std::byte{9}, std::byte{1}, n_spoiled,
                     std::byte{200}});
    seeds.push_back({low, high, std::byte{1}, std::byte{0}});
  }
  return seeds;
}

}  // namespace wccl::fuzz
