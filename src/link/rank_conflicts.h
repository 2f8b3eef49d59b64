#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "wccl/transport.h"

#include "base/clock.h"
#include "phy/frame_header.h"

namespace wccl::link {

/// Finds ranks that two laptops show: two epochs of one rank that are seen in turn. One that was
/// started anew shows its old epoch no more.
class RankConflicts {
 public:
  /// A frame of `rank` with this epoch was seen.
  void note(Rank rank, std::uint16_t epoch, Instant now);
  /// Ranks of which this node sees two laptops, or one beside itself.
  /// @param self  The own rank, and
  /// @param epoch the own epoch: whatever else shows this rank is another laptop.
  [[nodiscard]] std::vector<Rank> ranks(Rank self, std::uint16_t epoch, Instant now) const;

 private:
  struct Sighting {
    int captures = 0;
    Instant first;
    Instant last;
  };
  using ByEpoch = std::map<std::uint16_t, Sighting>;
  [[nodiscard]] static bool are_in_turn(const Sighting& a, const Sighting& b);

  std::array<ByEpoch, phy::kMaxNodes> sightings_;
};

}  // namespace wccl::link
