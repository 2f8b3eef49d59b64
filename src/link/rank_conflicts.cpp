#include "link/rank_conflicts.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

constexpr int kSureCaptures = 3;
constexpr Duration kForget = 4s;

}  // namespace

void RankConflicts::note(Rank rank, std::uint16_t epoch, Instant now) {
  ByEpoch& epochs = sightings_.at(static_cast<std::size_t>(rank));
  std::erase_if(epochs, [now](const auto& entry) { return now - entry.second.last > kForget; });
  const auto [it, is_new] = epochs.try_emplace(epoch, Sighting{0, now, now});
  ++it->second.captures;
  it->second.last = now;
}

bool RankConflicts::are_in_turn(const Sighting& a, const Sighting& b) {
  return a.captures >= kSureCaptures && b.captures >= kSureCaptures && a.first < b.last &&
         b.first < a.last;
}

std::vector<Rank> RankConflicts::ranks(Rank self, std::uint16_t epoch, Instant now) const {
  std::vector<Rank> found;
  for (std::size_t i = 0; i < sightings_.size(); ++i) {
    const auto rank = static_cast<Rank>(i);
    bool is_double = false;
    const ByEpoch& epochs = sightings_[i];
    for (auto a = epochs.begin(); a != epochs.end() && !is_double; ++a) {
      if (now - a->second.last > kForget) {
        continue;
      }
      is_double = rank == self && a->first != epoch && a->second.captures >= kSureCaptures;
      for (auto b = std::next(a); b != epochs.end(); ++b) {
        is_double = is_double || (now - b->second.last <= kForget && rank != self &&
                                  are_in_turn(a->second, b->second));
      }
    }
    if (is_double) {
      found.push_back(rank);
    }
  }
  return found;
}

}  // namespace wccl::link
