#include "phy/interleaver.h"

#include <cassert>

#include "base/splitmix.h"
#include "phy/block_codec.h"

namespace wccl::phy {
namespace {

constexpr std::size_t kGroups = kBlockCodedBits;
// Group g holds bit kStep * g mod 1944 of each block. Near 1944 / golden ratio, so that neighbours
// in the code spread evenly; prime to 1944 = 2^3 * 3^5, so that it can be undone.
constexpr std::size_t kStep = 1201;
constexpr std::size_t kInverseStep = 1753;
static_assert(kStep * kInverseStep % kGroups == 1);

}  // namespace

Interleaver::Interleaver(std::size_t n_blocks) : n_blocks_(n_blocks), rotation_(kGroups) {
  assert(n_blocks > 0);
  for (std::size_t group = 0; group < kGroups; ++group) {
    rotation_[group] = static_cast<std::uint32_t>(splitmix64(group) % n_blocks);
  }
}

std::size_t Interleaver::n_places() const {
  return kGroups * n_blocks_;
}

std::size_t Interleaver::place_of(CodedBit coded) const {
  assert(coded.block < n_blocks_ && coded.bit < kGroups);
  const std::size_t group = coded.bit * kInverseStep % kGroups;
  return group * n_blocks_ + (coded.block + rotation_[group]) % n_blocks_;
}

Interleaver::CodedBit Interleaver::coded_bit_at(std::size_t place) const {
  assert(place < n_places());
  const std::size_t group = place / n_blocks_;
  const std::size_t turned = place % n_blocks_ + n_blocks_ - rotation_[group];
  return {.block = turned % n_blocks_, .bit = group * kStep % kGroups};
}

}  // namespace wccl::phy
