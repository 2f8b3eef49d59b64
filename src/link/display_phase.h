#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/clock.h"

namespace wccl::link {

/// Moves the frames of a sender that shows each for a capture period by half a frame, so that
/// captures fall clean.
///
/// At 30 frames/s every capture of a camera of 30 mixes two frames in the same shares. Half a frame
/// on, what was half and half becomes clean. Clocks drift, so it is needed
/// again now and then.
class DisplayPhase {
 public:
  /// What receivers say of frames of one parity that stayed for as long as the others.
  /// @param mixed  [n] share of the light that was another frame's, 0 to 0.5, of each receiver.
  void note(int parity, std::span<const double> mixed, Instant now);

  /// How long a frame is to stay that begins at this refresh and should stay for `hold`, so that
  /// the next one begins at the chosen phase.
  [[nodiscard]] int refreshes_at(std::uint64_t refresh, int hold) const {
    const int target = parity_ * hold / 2;
    const int place = static_cast<int>(refresh % static_cast<std::uint64_t>(hold));
    return hold + (target + hold - place) % hold;
  }
  /// Of a frame that begins at this refresh: 0 about the beginnings of whole holds, 1 half a frame
  /// from there.
  [[nodiscard]] static int parity_of(std::uint64_t refresh, int hold) {
    const int place = static_cast<int>(refresh % static_cast<std::uint64_t>(hold));
    return place > 0 && 2 * place >= hold - 1 ? 1 : 0;
  }
  [[nodiscard]] int parity() const { return parity_; }
  /// Whether frames of this parity have been reported, ever.
  [[nodiscard]] bool knows(int parity) const {
    return seen_[static_cast<std::size_t>(parity)].has_value();
  }
  [[nodiscard]] std::uint64_t shifts() const { return shifts_; }
  /// The share that is to be expected at the chosen phase, of the worst receiver.
  [[nodiscard]] double expected_mixed(Instant now) const;

 private:
  struct Sighting {
    double sum = 0;
    double worst = 0;
    Instant at;
  };
  void shift();

  int parity_ = 0;
  std::uint64_t shifts_ = 0;
  std::array<std::optional<Sighting>, 2> seen_;
  std::optional<double> sum_before_;  ///< The last shift; until it has been judged.
  Instant not_before_{};              ///< No shift.
  int failures_ = 0;
};

}  // namespace wccl::link
