#pragma once

#include <span>
#include <vector>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "eval/figures.h"

namespace wccl::eval {

/// What one laptop counted of another's screen in one step.
struct DeskCount {
  struct Channel {
    int blocks = 0;
    int blocks_ok = 0;
    double snr_db = 0;
  };

  Rank from = 0;        ///< Whose screen.
  double seconds = 0;   ///< Counted for; 0: the screen never showed the mode to this laptop.
  int captures = 0;     ///< Within them,
  int located = 0;      ///< and those that showed the screen in the mode.
  int frames = 0;       ///< That the screen showed,
  int frames_read = 0;  ///< and of which the header was read.
  double cell_px = 0;   ///< In camera pixels; like the rest a mean over captures.
  double width_share = 0;
  double mixed_share = 0;  ///< Of the frames that no capture held 80% of the light of.
  double dark = 0;
  double bright = 0;
  std::vector<Channel> channels;  ///< As channels_of() names them.

  [[nodiscard]] double captures_per_second() const { return seconds > 0 ? captures / seconds : 0; }
};

[[nodiscard]] Figures figures_of(const DeskCount& count, phy::ModeId mode);

/// One laptop's counts of one step, short enough for the slowest of modes.
[[nodiscard]] Bytes encode(std::span<const DeskCount> counts);
/// @param mode        What was counted.
/// @param reporter    Who says so: counts of its own screen are nonsense.
/// @return kCorrupt for what nobody can have counted.
[[nodiscard]] Result<std::vector<DeskCount>> decode_counts(std::span<const std::byte> message,
                                                           phy::ModeId mode,
                                                           Rank reporter,
                                                           int world_size);

}  // namespace wccl::eval
