#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phy/equalizer.h"
#include "phy/layout.h"
#include "phy/llr.h"
#include "phy/row_phases.h"

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

/// The same for two levels, before it is rounded.
[[nodiscard]] inline float llr_of_bit(float estimate,
                                      const ChannelState& state,
                                      float share,
                                      float other) {
  const float rest = (1 - share) * state.gain;
  const float noise_var = state.noise_var + rest * rest * (1 - other * other);
  return 2 * state.gain * share * (estimate - rest * other) / noise_var;
}
[[nodiscard]] inline Llr demodulate_bit(float estimate,
                                        const ChannelState& state,
                                        float share,
                                        float other) {
  return to_llr(llr_of_bit(estimate, state, share, other));
}

/// Cells that show less of a frame tell nothing about it.
inline constexpr float kLeastShare = 0.3F;

/// What a row of equalised cells says about one frame in one channel.
struct RowQuery {
  const Layout* layout = nullptr;
  const Equalizer* equalizer = nullptr;  ///< That made the estimates.
  int row = 0;
  int channel = 0;
  int half = kBothHalves;  ///< Of the checkerboard.
  int frame = 0;
  RowPhases phases;
  std::span<const float> estimates;  ///< [columns]
  /// Known levels of the frames before and after, by number of data cell; empty if not open.
  std::span<const std::int8_t> before;
  std::span<const std::int8_t> after;
};

/// Memory that a steady stream of rows keeps.
struct RowScratch {
  std::vector<Llr> llrs;      ///< [columns]
  std::vector<float> others;  ///< [columns]
};

/// @param llrs  [data cells of the row * bits per level]; 0 for cells of the other half.
void demodulate_row(const RowQuery& query, RowScratch& scratch, std::span<Llr> llrs);

}  // namespace wccl::phy
