#include "train/resume.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "train/ballot.h"
#include "train/digit_network.h"
#include "train/words.h"

namespace wccl::train {
namespace {

/// A rank says that it has a state.
struct Claim {
  int rank = 0;
  int syncs = 0;
  std::uint64_t hash = 0;  ///< Of what is shared.
};

constexpr std::size_t kClaimsPerRank = 2;
constexpr std::size_t kFloatsPerClaim = 2 * kFloatsPerNumber;  // syncs + 1, or 0; the hash

/// What all ranks have alike: the weights and the shared parts of the memory, in one row.
std::vector<float> shared_of(const RankState& state, std::span<const MemoryPart> layout) {
  std::vector<float> shared = state.weights;
  for (const auto& part : layout) {
    if (part.shared) {
      std::ranges::copy(state.memory.at(part.name), std::back_inserter(shared));
    }
  }
  return shared;
}

std::uint64_t hash_of(std::span<const float> shared) {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a over words
  for (const float value : shared) {
    hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001B3U;
  }
  return hash;
}

std::vector<Claim> own_claims(const std::vector<RankState>& kept,
                              std::span<const MemoryPart> layout,
                              int rank) {
  std::vector<Claim> claims;
  for (const auto& state : kept) {
    claims.push_back({rank, state.progress.syncs, hash_of(shared_of(state, layout))});
  }
  return claims;
}

/// Adds up every rank's claims, each rank's in its own place among zeros.
Result<std::vector<Claim>> gather_claims(const std::vector<Claim>& own,
                                         std::uint64_t run_hash,
                                         Peers& peers) {
  const auto n_ranks = static_cast<std::size_t>(peers.world_size());
  const std::size_t n_floats =
      std::max(DigitNetwork::kParameters, n_ranks * kClaimsPerRank * kFloatsPerClaim);
  std::vector<float> message(n_floats + Ballot::kFloats);
  const auto slot = [&](std::size_t rank, std::size_t claim) {
    return std::span(message).subspan((rank * kClaimsPerRank + claim) * kFloatsPerClaim,
                                      kFloatsPerClaim);
  };
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto floats = slot(static_cast<std::size_t>(peers.rank()), i);
    put_number(static_cast<std::uint64_t>(own[i].syncs) + 1, floats.first(kFloatsPerNumber));
    put_number(own[i].hash, floats.last(kFloatsPerNumber));
  }
  // No round begins with these weights: a rank that is in one disagrees.
  constexpr std::array kNoWeights = {std::numeric_limits<float>::infinity()};
  const Ballot ballot{0, false, state_hash(kNoWeights, run_hash)};
  const auto votes = std::span(message).last(Ballot::kFloats);
  ballot.write(votes);
  if (auto summed = peers.all_reduce_sum(message); !summed) {
    return tl::make_unexpected(summed.error());
  }
  if (!ballot.tally(votes, peers.world_size())) {
    return fail(ErrorCode::kInvalidArgument,
                "the ranks do not resume the same run: start all with --resume and the same "
                "options, data and version");
  }
  std::vector<Claim> claims;
  for (std::size_t rank = 0; rank < n_ranks; ++rank) {
    for (std::size_t i = 0; i < kClaimsPerRank; ++i) {
      const auto floats = slot(rank, i);
      const std::uint64_t syncs_1 = get_number(floats.first(kFloatsPerNumber));
      if (syncs_1 >= 1 && syncs_1 <= std::numeric_limits<int>::max()) {
        claims.push_back({static_cast<int>(rank), static_cast<int>(syncs_1 - 1),
                          get_number(floats.last(kFloatsPerNumber))});
      }
    }
  }
  return claims;
}

std::vector<int> ranks_of(const std::vector<Claim>& claims) {
  std::vector<int> ranks;
  for (const auto& claim : claims) {
    if (ranks.empty() || ranks.back() != claim.rank) {
      ranks.push_back(claim.rank);
    }
  }
  return ranks;
}

std::vector<Claim> claims_of_sync(const std::vector<Claim>& claims, int syncs) {
  std::vector<Claim> same;
  std::ranges::copy_if(claims, std::back_inserter(same),
                       [&](const Claim& claim) { return claim.syncs == syncs; });
  return same;
}

/// The newest sync that all who have anything have; the newest of all when there is none.
/// @param claims  Not empty; in the order of ranks.
int choose_sync(const std::vector<Claim>& claims) {
  const auto n_holders = ranks_of(claims).size();
  int newest = 0;
  int newest_common = -1;
  for (const auto& claim : claims) {
    newest = std::max(newest, claim.syncs);
    if (ranks_of(claims_of_sync(claims, claim.syncs)).size() == n_holders) {
      newest_common = std::max(newest_common, claim.syncs);
    }
  }
  return newest_common >= 0 ? newest_common : newest;
}

/// @param claims  Of one sync.
Status check_same_run(const std::vector<Claim>& claims) {
  for (const auto& claim : claims) {
    if (claim.hash != claims.front().hash) {
      return fail(
          ErrorCode::kCorrupt,
          fmt::format(
              "ranks {} and {} have kept different weights of sync {}: their run folders "
              "are of different runs; give --resume those of one, or an empty folder to the "
              "rank that shall take over the other's",
              claims.front().rank, claim.rank, claim.syncs));
    }
  }
  return {};
}

/// Numbers of a Progress behind the shared floats.
constexpr std::size_t kProgressFloats = 3 * kFloatsPerNumber;

void put_progress(const Progress& progress, std::span<float> floats) {
  put_number(std::bit_cast<std::uint64_t>(progress.loss), floats.first(kFloatsPerNumber));
  put_number(std::bit_cast<std::uint64_t>(progress.accuracy),
             floats.subspan(kFloatsPerNumber, kFloatsPerNumber));
  put_number(static_cast<std::uint64_t>(progress.elapsed.count()), floats.last(kFloatsPerNumber));
}

void get_progress(std::span<const float> floats, Progress& progress) {
  progress.loss = std::bit_cast<double>(get_number(floats.first(kFloatsPerNumber)));
  progress.accuracy =
      std::bit_cast<double>(get_number(floats.subspan(kFloatsPerNumber, kFloatsPerNumber)));
  progress.elapsed =
      Duration(static_cast<Duration::rep>(get_number(floats.last(kFloatsPerNumber))));
}

/// The inverse of shared_of(), for a rank that has nothing but this.
/// @param message  What is shared, and the progress behind it.
RankState unpack(std::span<const float> message,
                 std::span<const MemoryPart> layout,
                 const Claim& source,
                 int inner_steps) {
  RankState state;
  state.progress.rank = source.rank;
  state.progress.syncs = source.syncs;
  state.progress.steps = static_cast<std::int64_t>(source.syncs) * inner_steps;
  get_progress(message.last(kProgressFloats), state.progress);
  const auto take = [&](std::size_t n) {
    const auto values = message.first(n);
    message = message.subspan(n);
    return std::vector<float>(values.begin(), values.end());
  };
  state.weights = take(DigitNetwork::kParameters);
  for (const auto& part : layout) {
    if (part.shared) {
      state.memory[part.name] = take(part.values.size());
    }
  }
  return state;
}

/// The state of `source`, given to those who lack it.
/// @param own  This rank's, if it has it.
Result<RankState> share_state(const RankState* own,
                              std::span<const MemoryPart> layout,
                              const Claim& source,
                              int inner_steps,
                              Peers& peers) {
  std::size_t n_shared = DigitNetwork::kParameters;
  for (const auto& part : layout) {
    n_shared += part.shared ? part.values.size() : 0;
  }
  std::vector<float> message(n_shared + kProgressFloats);
  if (own != nullptr) {
    std::ranges::copy(shared_of(*own, layout), message.begin());
    put_progress(own->progress, std::span(message).last(kProgressFloats));
  }
  if (auto sent = peers.broadcast(message, source.rank); !sent) {
    return tl::make_unexpected(sent.error());
  }
  if (own != nullptr) {
    return *own;
  }
  if (hash_of(std::span<const float>(message).first(n_shared)) != source.hash) {
    return fail(
        ErrorCode::kCorrupt,
        fmt::format("rank {} gave another state than it has kept; start all again", source.rank));
  }
  return unpack(message, layout, source, inner_steps);
}

std::string note_of(int taker, const Claim& source) {
  return fmt::format(
      "rank {} has nothing of sync {} and takes over the weights of rank {}; its "
      "own optimizer starts anew",
      taker, source.syncs, source.rank);
}

}  // namespace

Result<std::optional<MeetingPoint>> agree_on_state(const std::vector<RankState>& kept,
                                                   std::span<const MemoryPart> layout,
                                                   int inner_steps,
                                                   std::uint64_t run_hash,
                                                   Peers& peers) {
  assert(kept.size() <= kClaimsPerRank);
  const auto claims = gather_claims(own_claims(kept, layout, peers.rank()), run_hash, peers);
  if (!claims) {
    return tl::make_unexpected(claims.error());
  }
  if (claims->empty()) {
    return std::optional<MeetingPoint>();
  }
  const int syncs = choose_sync(*claims);
  const auto holders = claims_of_sync(*claims, syncs);
  if (auto same = check_same_run(holders); !same) {
    return tl::make_unexpected(same.error());
  }
  const auto found = std::ranges::find_if(
      kept, [&](const RankState& state) { return state.progress.syncs == syncs; });
  const RankState* own = found == kept.end() ? nullptr : &*found;
  MeetingPoint point;
  if (ranks_of(holders).size() == static_cast<std::size_t>(peers.world_size())) {
    point.state = *own;
    return point;
  }
  auto state = share_state(own, layout, holders.front(), inner_steps, peers);
  if (!state) {
    return tl::make_unexpected(state.error());
  }
  point.state = *std::move(state);
  const auto has_it = ranks_of(holders);
  for (int rank = 0; rank < peers.world_size(); ++rank) {
    if (std::ranges::find(has_it, rank) == has_it.end()) {
      point.notes.push_back(note_of(rank, holders.front()));
    }
  }
  return point;
}

}  // namespace wccl::train
