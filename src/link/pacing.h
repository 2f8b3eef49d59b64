#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "wccl/transport.h"

#include "base/clock.h"
#include "link/capture_pace.h"
#include "phy/frame_header.h"

namespace wccl::link {

// How long frames may stay, called by the refreshes that these are with usual cameras.
inline constexpr int kTightHold = 2;   ///< A capture period of the slowest receiver.
inline constexpr int kCleanHold = 3;   ///< So long that it sees each frame clean once.
inline constexpr int kSafestHold = 4;  ///< Two of its capture periods.

/// How long frames stay and answers take, by the periods of the cameras that look on.
class Pacing {
 public:
  /// @param refresh  Period of the panel.
  /// @param hold     Refreshes of every frame, when it is fixed.
  Pacing(Duration refresh, std::optional<int> hold) : refresh_(refresh), fixed_hold_(hold) {}

  /// That of this node's own camera, by which answers come.
  void on_own_period(Duration period) { own_period_ = period; }
  void on_peer_period(Rank peer, Duration period) {
    periods_[static_cast<std::size_t>(peer)] = period;
  }
  /// @param peers  That must be able to read, bit r for rank r.
  /// @return whether holds are of other lengths from now on.
  bool follow(std::uint8_t peers);

  /// How many refreshes a frame of this hold stays.
  [[nodiscard]] int refreshes_of(int hold) const;
  /// Whether each capture shows the same mixture of frames, so that a shift of the display helps.
  [[nodiscard]] static bool has_phase(int hold) { return hold <= kTightHold; }
  /// What takes so long between usual cameras, between these.
  [[nodiscard]] Duration paced(Duration duration) const;

 private:
  static constexpr int kUsualRefreshes = 2;

  Duration refresh_;
  std::optional<int> fixed_hold_;
  Duration own_period_ = kUsualCapturePeriod;
  std::array<std::optional<Duration>, phy::kMaxNodes> periods_;  ///< Of receivers' cameras.
  int capture_refreshes_ = kUsualRefreshes;  ///< Period of the slowest receiver that is needed.
  double slowdown_ = 1;                      ///< Of round trips, against usual cameras.
};

}  // namespace wccl::link
