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
/// frames,
///                  which is noise of their levels' size.
/// @param llrs      [bits per level]
void demodulate(float estimate, const ChannelState& state, float share, std::span<Llr> llrs);

}  // namespace wccl::phy
