#include "phy/interleaver.h"

#include <cassert>
#include <numeric>

#include "base/splitmix.h"

namespace wccl::phy {
namespace {

/// Near n / golden ratio, so that neighbours in the code spread evenly; prime to n, so that
/// multiples of it modulo n meet every bit.
std::size_t step_of(std::size_t n_coded_bits) {
  std::size_t step = n_coded_bits * 618 / 1000;
  while (std::gcd(step, n_coded_bits) != 1) {
    ++step;
  }
  return step;
}

}  // namespace

Interleaver::Interleaver(std::size_t n_blocks, std::size_t n_coded_bits)
    : n_blocks_(n_blocks), rotation_(n_coded_bits), bit_of_(n_coded_bits), group_of_(n_coded_bits) {
  assert(n_blocks > 0 && n_coded_bits > 1);
  const std::size_t step = step_of(n_coded_bits);
  for (std::size_t group = 0; group < n_coded_bits; ++group) {
    rotation_[group] = static_cast<std::uint32_t>(splitmix64(group) % n_blocks);
    const std::size_t bit = group * step % n_coded_bits;
    bit_of_[group] = static_cast<std::uint32_t>(bit);
    group_of_[bit] = static_cast<std::uint32_t>(group);
  }
}

std::size_t Interleaver::n_places() const {
  return bit_of_.size() * n_blocks_;
}

std::size_t Interleaver::place_of(CodedBit coded) const {
  assert(coded.block < n_blocks_ && coded.bit < group_of_.size());
  const std::size_t group = group_of_[coded.bit];
  return group * n_blocks_ + (coded.block + rotation_[group]) % n_blocks_;
}

Interleaver::CodedBit Interleaver::coded_bit_at(std::size_t place) const {
  assert(place < n_places());
  const std::size_t group = place / n_blocks_;
  const std::size_t turned = place % n_blocks_ + n_blocks_ - rotation_[group];
  return {.block = turned % n_blocks_, .bit = bit_of_[group]};
}

}  // namespace wccl::phy
