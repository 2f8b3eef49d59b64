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

inline Lanes to_message(Lanes magnitude) {
  constexpr auto kOffset = static_cast<std::int8_t>(kMessageOffset);
  return min(max(magnitude - kOffset, Lanes{}), Lanes{} + static_cast<std::int8_t>(kMaxMessage));
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

/// The blocks that the first rows of the matrix share with each other, with their rotations. A
/// column is never turned back: each row turns it on from where the row before left it, and the
/// rows are gone through in a circle. The core's checks are looked at behind its last row.
struct LdpcDecoder::Plan {
  struct Block {
    std::uint8_t column;
    std::uint8_t turn;              ///< From where the column stands when its row comes.
    std::uint8_t turn_behind_core;  ///< From where it stands behind the core.
  };
  using Rotations = std::array<std::uint8_t, kLdpcColumns>;
  std::vector<Block> blocks;            ///< Row by row.
  std::vector<std::size_t> row_begins;  ///< Into blocks; one more than there are rows.
  Rotations at_start{};                 ///< Where a column stands before the first row,
  Rotations behind_core{};              ///< and behind the core.

  explicit Plan(std::size_t n_rows) {
    at_start = rotations_behind(n_rows, {});
    behind_core = rotations_behind(kLdpcCoreRows, at_start);
    Rotations current = at_start;
    for (std::size_t row = 0; row < n_rows; ++row) {
      row_begins.push_back(blocks.size());
      for (const LdpcBlock& block : shared_blocks(row)) {
        const auto turn_from = [&](std::uint8_t rotation) {
          return static_cast<std::uint8_t>((block.shift + kLdpcLift - rotation) % kLdpcLift);
        };
        blocks.push_back(
            {block.column, turn_from(current[block.column]), turn_from(behind_core[block.column])});
        current[block.column] = block.shift;
      }
    }
    row_begins.push_back(blocks.size());
    assert(blocks.size() <= kMaxBlocks);
  }

  static Rotations rotations_behind(std::size_t n_rows, Rotations rotations) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (const LdpcBlock& block : shared_blocks(row)) {
        rotations[block.column] = block.shift;
      }
    }
    return rotations;
  }

  static std::span<const LdpcBlock> shared_blocks(std::size_t row) {
    const auto blocks = ldpc_row(row);
    return row < kLdpcCoreRows ? blocks : blocks.first(blocks.size() - 1);
  }

  [[nodiscard]] std::size_t rows() const { return row_begins.size() - 1; }
  /// Behind the parity columns of its rows no bit takes part.
  [[nodiscard]] std::size_t columns() const { return kLdpcInfoColumns + rows(); }
};

const LdpcDecoder::Plan& LdpcDecoder::plan_of(std::size_t n_rows) {
  static const std::vector<Plan> plans = [] {
    std::vector<Plan> all;
    for (std::size_t n = kLdpcCoreRows; n <= kLdpcRows; ++n) {
      all.emplace_back(n);
    }
    return all;
  }();
  return plans[n_rows - kLdpcCoreRows];
}

void LdpcDecoder::load(const Plan& plan, std::span<const Llr> llrs) {
  std::array<std::int8_t, kLdpcColumns * kLdpcLift> unturned;
  load_posteriors(llrs, std::span(unturned).first(plan.columns() * kLdpcLift));
  for (std::size_t column = 0; column < plan.columns(); ++column) {
    const std::int8_t* first = unturned.data() + column * kLdpcLift;
    std::int8_t* to = posteriors_[column].data();
    std::rotate_copy(first, first + plan.at_start[column], first + kLdpcLift, to);
    std::memcpy(to + kLdpcLift, to, kLdpcLift);
  }
  std::memset(messages_.data(), 0, plan.blocks.size() * kLdpcLift);
}

void LdpcDecoder::update_row(const Plan& plan, std::size_t row) {
  const std::size_t begin = plan.row_begins[row];
  const std::size_t end = plan.row_begins[row + 1];
  alignas(kLanes) std::array<std::array<Lanes, kVectors>, kLdpcMostRowBlocks> extrinsics;

  // What each bit says without this row, and per check the two smallest magnitudes and the sign of
  // the product.
  std::array<Lanes, kVectors> smallest;
  smallest.fill(Lanes{} + static_cast<std::int8_t>(kMaxPosterior));
  std::array<Lanes, kVectors> second = smallest;
  std::array<Lanes, kVectors> product{};
  if (row >= kLdpcCoreRows) {
    const std::int8_t* own = posteriors_[kLdpcInfoColumns + row].data();
    for (std::size_t v = 0; v < kVectors; ++v) {
      product[v] = load_lanes(own + v * kLanes);
      smallest[v] = abs(product[v]);
    }
  }
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
    to_smallest[v] = to_message(second[v]);
    to_others[v] = to_message(smallest[v]);
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

/// The signs of the checks of a row of the core, behind the core: negative lanes are unsatisfied.
auto LdpcDecoder::parity_of_row(const Plan& plan, std::size_t row) const {
  std::array<Lanes, kVectors> parity{};
  for (std::size_t i = plan.row_begins[row]; i < plan.row_begins[row + 1]; ++i) {
    const Plan::Block& block = plan.blocks[i];
    const std::int8_t* posteriors = posteriors_[block.column].data() + block.turn_behind_core;
    for (std::size_t v = 0; v < kVectors; ++v) {
      parity[v] ^= load_lanes(posteriors + v * kLanes);
    }
  }
  return parity;
}

bool LdpcDecoder::core_checks_hold(const Plan& plan) const {
  for (std::size_t row = 0; row < kLdpcCoreRows; ++row) {
    const auto parity = parity_of_row(plan, row);
    if (any_negative(parity[0] | parity[1])) {
      return false;
    }
  }
  return true;
}

int LdpcDecoder::count_unsatisfied(const Plan& plan) const {
  int n_unsatisfied = 0;
  for (std::size_t row = 0; row < kLdpcCoreRows; ++row) {
    const auto parity = parity_of_row(plan, row);
    std::array<std::int8_t, kLdpcLift> lanes;
    std::memcpy(lanes.data(), parity.data(), sizeof(parity));
    for (std::size_t check = 0; check < kLdpcLift; ++check) {
      n_unsatisfied += lanes[check] < 0 ? 1 : 0;
    }
  }
  return n_unsatisfied;
}

void LdpcDecoder::store(const Plan& plan, std::span<std::uint8_t> info) const {
  for (std::size_t column = 0; column * kLdpcLift < info.size(); ++column) {
    const std::int8_t* turned = posteriors_[column].data() + (kLdpcLift - plan.behind_core[column]);
    std::uint8_t* bits = info.data() + column * kLdpcLift;
    for (std::size_t i = 0; i < kLdpcLift; ++i) {
      bits[i] = static_cast<std::uint8_t>(turned[i] < 0);
    }
  }
}

LdpcResult LdpcDecoder::decode(std::span<const Llr> llrs, std::span<std::uint8_t> info) {
  assert(info.size() == kLdpcInfoBits);
  const Plan& plan = plan_of(ldpc_rows(llrs.size()));
  load(plan, llrs);
  // The core alone finds the punctured columns of a word with few errors; before it has tried, the
  // rows beyond it have nothing to say, as nearly all of them meet one of those columns.
  const auto update_rows = [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      update_row(plan, row);
    }
  };
  LdpcResult result;
  update_rows(0, kLdpcCoreRows);
  result.converged = core_checks_hold(plan);
  while (!result.converged && result.iterations < max_iterations_) {
    update_rows(kLdpcCoreRows, plan.rows());
    update_rows(0, kLdpcCoreRows);
    ++result.iterations;
    result.converged = core_checks_hold(plan);
  }
  if (!result.converged) {
    result.unsatisfied_checks = count_unsatisfied(plan);
  }
  store(plan, info);
  return result;
}

}  // namespace wccl::phy
