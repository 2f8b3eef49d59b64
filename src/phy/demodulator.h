#pragma once

#include <cstdint>
#include <span>

#include "phy/equalizer.h"
#include "phy/llr.h"

namespace wccl::phy {

/// Soft-demaps one cell of one channel (max-log; Robertson et al., ICC 1995). Twin of the
/// modulator.
/// @param estimate  Of the equaliser.
/// @param share     Of the frame in question in this cell's light, 0 to 1. The rest shows other
/// frames.
/// @param other     What is known of the level in that rest, -1 to 1; 0 when nothing is: then it is
/// noise of the
///                  levels' size. The known part is cancelled.
/// @param llrs      [bits per level]
void demodulate(
    float estimate, const ChannelState& state, float share, float other, std::span<Llr> llrs);

/// The same for two levels.
[[nodiscard]] inline Llr demodulate_bit(float estimate,
                                        const ChannelState& state,
                                        float share,
                                        float other) {
  const float rest = (1 - share) * state.gain;
  const float noise_var = state.noise_var + rest * rest * (1 - other * other);
  return to_llr(2 * state.gain * share * (estimate - rest * other) / noise_var);
}

}  // namespace wccl::phy
