#include "phy/ldpc_decoder.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

namespace wccl::phy {
namespace {

// GCC's and Clang's vectors of no particular machine: AVX2 has these 32 lanes in a register, NEON
// in two.
using Lanes [[gnu::vector_size(32)]] = std::int8_t;
using UnsignedLanes [[gnu::vector_size(32)]] = std::uint8_t;

inline Lanes load_lanes(const std::int8_t* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}
inline void store_lanes(std::int8_t* to, Lanes lanes) {
  std::memcpy(to, &lanes, sizeof(lanes));
}

inline Lanes min(Lanes a, Lanes b) {
  return a < b ? a : b;
}
inline Lanes max(Lanes a, Lanes b) {
  return a > b ? a : b;
}
inline Lanes abs(Lanes a) {
  return max(a, -a);
}

inline Lanes clamp_posterior(Lanes a) {
  constexpr auto kLimit = static_cast<std::int8_t>(kMaxPosterior);
  const Lanes upper = Lanes{} + kLimit;
  return max(min(a, upper), -upper);
}

inline Lanes normalised(Lanes magnitude, int shift) {
  const auto kept =
      reinterpret_cast<Lanes>(normalise(reinterpret_cast<UnsignedLanes>(magnitude), shift));
  return min(kept, Lanes{} + static_cast<std::int8_t>(kMaxMessage));
}

inline bool any_negative(Lanes lanes) {
  std::array<std::uint64_t, sizeof(Lanes) / sizeof(std::uint64_t)> words;
  std::memcpy(words.data(), &lanes, sizeof(lanes));
  std::uint64_t signs = 0;
  for (const std::uint64_t word : words) {
    signs |= word;
  }
  return (signs & 0x8080808080808080ULL) != 0;
}

}  // namespace

/// The rotations of one code. A column is never turned back: each row turns it on from where the
/// row before left it, and an iteration ends as it began.
struct LdpcDecoder::Plan {
  struct Block {
    std::size_t column;
    std::size_t turn;           ///< From where the column stands when its row comes, below 81.
    std::size_t turn_from_end;  ///< From where it stands between two iterations.
  };
  std::vector<Block> blocks;            ///< Row by row.
  std::vector<std::size_t> row_begins;  ///< Into blocks; one more than there are rows.
  std::array<std::size_t, kLdpcColumns> rotations{};  ///< Of each column between two iterations.

  explicit Plan(const LdpcCode& code) {
    for (const auto& row : code.rows) {
      for (const LdpcBlock& block : row) {
        rotations[block.column] = block.shift;
      }
    }
    std::array<std::size_t, kLdpcColumns> current = rotations;
    for (const auto& row : code.rows) {
      row_begins.push_back(blocks.size());
      for (const LdpcBlock& block : row) {
        const auto turn_from = [&](std::size_t rotation) {
          return (block.shift + kLdpcLift - rotation) % kLdpcLift;
        };
        blocks.push_back(
            {block.column, turn_from(current[block.column]), turn_from(rotations[block.column])});
        current[block.column] = block.shift;
      }
    }
    row_begins.push_back(blocks.size());
    assert(blocks.size() <= kMaxBlocks);
  }
};

const LdpcDecoder::Plan& LdpcDecoder::plan_of(CodeRate rate) {
  static const std::array<Plan, 4> plans{
      Plan(ldpc_code(CodeRate::k1_2)), Plan(ldpc_code(CodeRate::k2_3)),
      Plan(ldpc_code(CodeRate::k3_4)), Plan(ldpc_code(CodeRate::k5_6))};
  assert(rate != CodeRate::kNone);
  return plans[static_cast<std::size_t>(rate) - 1];
}

void LdpcDecoder::load(const Plan& plan, std::span<const Llr> llrs) {
  std::array<std::int8_t, kLdpcCodedBits> unturned;
  std::transform(llrs.begin(), llrs.end(), unturned.begin(), to_posterior);
  for (std::size_t column = 0; column < kLdpcColumns; ++column) {
    const std::int8_t* first = unturned.data() + column * kLdpcLift;
    std::int8_t* to = posteriors_[column].data();
    std::rotate_copy(first, first + plan.rotations[column], first + kLdpcLift, to);
    std::memcpy(to + kLdpcLift, to, kLdpcLift);
    std::memcpy(to + 2 * kLdpcLift, to, 2 * kPadded - 2 * kLdpcLift);
  }
  std::memset(messages_.data(), 0, plan.blocks.size() * kPadded);
}

void LdpcDecoder::update_row(const Plan& plan, std::size_t row, int shift) {
  const std::size_t begin = plan.row_begins[row];
  const std::size_t end = plan.row_begins[row + 1];
  alignas(kLanes) std::array<std::array<Lanes, kVectors>, kLdpcColumns> extrinsics;

  // What each bit says without this row, and per check the two smallest magnitudes and the sign of
  // the product.
  std::array<Lanes, kVectors> smallest;
  smallest.fill(Lanes{} + static_cast<std::int8_t>(kMaxPosterior));
  std::array<Lanes, kVectors> second = smallest;
  std::array<Lanes, kVectors> product{};
  for (std::size_t i = begin; i < end; ++i) {
    const std::int8_t* posteriors = posteriors_[plan.blocks[i].column].data() + plan.blocks[i].turn;
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Lanes message = load_lanes(messages_[i].data() + v * kLanes);
      const Lanes extrinsic = clamp_posterior(load_lanes(posteriors + v * kLanes) - message);
      const Lanes magnitude = abs(extrinsic);
      extrinsics[i - begin][v] = extrinsic;
      second[v] = min(second[v], max(smallest[v], magnitude));
      smallest[v] = min(smallest[v], magnitude);
      product[v] ^= extrinsic;
    }
  }

  std::array<Lanes, kVectors>
      to_smallest;  // The smallest of the others is the second smallest of all.
  std::array<Lanes, kVectors> to_others;
  for (std::size_t v = 0; v < kVectors; ++v) {
    to_smallest[v] = normalised(second[v], shift);
    to_others[v] = normalised(smallest[v], shift);
  }
  for (std::size_t i = begin; i < end; ++i) {
    std::int8_t* posteriors = posteriors_[plan.blocks[i].column].data();
    std::array<Lanes, kVectors> updated;
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Lanes extrinsic = extrinsics[i - begin][v];
      const Lanes magnitude = abs(extrinsic) == smallest[v] ? to_smallest[v] : to_others[v];
      const Lanes negative = (product[v] ^ extrinsic) < 0;  // -1 where true
      const Lanes message = (magnitude ^ negative) - negative;
      store_lanes(messages_[i].data() + v * kLanes, message);
      updated[v] = clamp_posterior(extrinsic + message);
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      store_lanes(posteriors + v * kLanes, updated[v]);
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      store_lanes(posteriors + kLdpcLift + v * kLanes, updated[v]);
    }
  }
}

/// The signs of a row's checks: negative lanes are unsatisfied.
auto LdpcDecoder::parity_of_row(const Plan& plan, std::size_t row) const {
  std::array<Lanes, kVectors> parity{};
  for (std::size_t i = plan.row_begins[row]; i < plan.row_begins[row + 1]; ++i) {
    const Plan::Block& block = plan.blocks[i];
    const std::int8_t* posteriors = posteriors_[block.column].data() + block.turn_from_end;
    for (std::size_t v = 0; v < kVectors; ++v) {
      parity[v] ^= load_lanes(posteriors + v * kLanes);
    }
  }
  return parity;
}

bool LdpcDecoder::checks_hold(const Plan& plan) const {
  for (std::size_t row = 0; row + 1 < plan.row_begins.size(); ++row) {
    const auto parity = parity_of_row(plan, row);
    if (any_negative(parity[0] | parity[1] | parity[2])) {
      return false;
    }
  }
  return true;
}

int LdpcDecoder::count_unsatisfied(const Plan& plan) const {
  int n_unsatisfied = 0;
  for (std::size_t row = 0; row + 1 < plan.row_begins.size(); ++row) {
    const auto parity = parity_of_row(plan, row);
    std::array<std::int8_t, kPadded> lanes;
    std::memcpy(lanes.data(), parity.data(), sizeof(parity));
    for (std::size_t check = 0; check < kLdpcLift; ++check) {
      n_unsatisfied += lanes[check] < 0 ? 1 : 0;
    }
  }
  return n_unsatisfied;
}

void LdpcDecoder::store(const Plan& plan, std::span<std::uint8_t> info) const {
  for (std::size_t column = 0; column * kLdpcLift < info.size(); ++column) {
    const std::int8_t* turned = posteriors_[column].data() + (kLdpcLift - plan.rotations[column]);
    std::uint8_t* bits = info.data() + column * kLdpcLift;
    for (std::size_t i = 0; i < kLdpcLift; ++i) {
      bits[i] = static_cast<std::uint8_t>(turned[i] < 0);
    }
  }
}

LdpcResult LdpcDecoder::decode(std::span<const Llr> llrs,
                               CodeRate rate,
                               std::span<std::uint8_t> info) {
  assert(llrs.size() == kLdpcCodedBits && info.size() == ldpc_code(rate).info_bits());
  const Plan& plan = plan_of(rate);
  const int shift = normalisation_shift(rate);
  load(plan, llrs);
  LdpcResult result;
  result.converged = checks_hold(plan);
  while (!result.converged && result.iterations < max_iterations_) {
    for (std::size_t row = 0; row + 1 < plan.row_begins.size(); ++row) {
      update_row(plan, row, shift);
    }
    ++result.iterations;
    result.converged = checks_hold(plan);
  }
  if (!result.converged) {
    result.unsatisfied_checks = count_unsatisfied(plan);
  }
  store(plan, info);
  return result;
}

}  // namespace wccl::phy
