#include "phy/viterbi_decoder.h"

#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <vector>

#include "phy/convolutional_code.h"

namespace wccl::phy {
namespace {

using Code = ConvolutionalCode;
using Metrics = std::array<std::int32_t, Code::kStates>;

/// For each state: its two coded bits per entering bit as signs of the LLRs, +1 for bit 0.
struct Branch {
  std::int32_t sign_first;
  std::int32_t sign_second;
};

constexpr auto make_branches() {
  std::array<std::array<Branch, 2>, Code::kStates> branches{};
  for (std::uint32_t state = 0; state < Code::kStates; ++state) {
    for (std::uint32_t bit = 0; bit < 2; ++bit) {
      branches[state][bit] = {1 - 2 * Code::coded_bit(state, bit, 0),
                              1 - 2 * Code::coded_bit(state, bit, 1)};
    }
  }
  return branches;
}

constexpr auto kBranches = make_branches();

/// One step of the trellis. @return for each new state whether its survivor came from the
/// predecessor whose oldest bit is 1.
std::uint64_t extend(Metrics& metrics, std::int32_t first, std::int32_t second) {
  Metrics extended{};
  std::uint64_t survivors = 0;
  for (std::uint32_t state = 0; state < Code::kStates; ++state) {
    const std::uint32_t bit = state >> (Code::kTailBits - 1);
    const std::uint32_t predecessor = (state << 1) & (Code::kStates - 1);
    const auto metric = [&](std::uint32_t from) {
      const Branch& branch = kBranches[from][bit];
      return metrics[from] + branch.sign_first * first + branch.sign_second * second;
    };
    const std::int32_t zero = metric(predecessor);
    const std::int32_t one = metric(predecessor | 1U);
    extended[state] = std::max(zero, one);
    survivors |= static_cast<std::uint64_t>(one > zero) << state;
  }
  metrics = extended;
  return survivors;
}

}  // namespace

BitVector viterbi_decode(std::span<const Llr> llrs) {
  assert(llrs.size() % 2 == 0 && llrs.size() / 2 >= Code::kTailBits);
  const std::size_t n_steps = llrs.size() / 2;
  Metrics metrics;
  metrics.fill(std::numeric_limits<std::int32_t>::min() / 2);  // Only state 0 can be the start.
  metrics[0] = 0;
  std::vector<std::uint64_t> survivors(n_steps);
  for (std::size_t step = 0; step < n_steps; ++step) {
    survivors[step] = extend(metrics, llrs[2 * step], llrs[2 * step + 1]);
  }
  BitVector bits(n_steps);
  std::uint32_t state = 0;  // The tail leads there.
  for (std::size_t step = n_steps; step-- > 0;) {
    bits[step] = static_cast<std::uint8_t>(state >> (Code::kTailBits - 1));
    const auto oldest = static_cast<std::uint32_t>((survivors[step] >> state) & 1U);
    state = ((state << 1) & (Code::kStates - 1)) | oldest;
  }
  bits.resize(n_steps - Code::kTailBits);
  return bits;
}

}  // namespace wccl::phy
