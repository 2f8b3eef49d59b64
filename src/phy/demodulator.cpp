#include "phy/demodulator.h"

#include <algorithm>
#include <array>

#include "phy/modulator.h"

namespace wccl::phy {

void demodulate(
    float estimate, const ChannelState& state, float share, float other, std::span<Llr> llrs) {
  if (llrs.size() == 1) {
    llrs[0] = demodulate_bit(estimate, state, share, other);
    return;
  }
  const float rest = (1 - share) * state.gain;
  estimate -= rest * other;
  const float noise_var = state.noise_var + rest * rest * (1 - other * other);
  const float gain = state.gain * share;
  const auto bits_per_level = static_cast<int>(llrs.size());
  const int levels = 1 << bits_per_level;
  for (int bit = 0; bit < bits_per_level; ++bit) {
    std::array<float, 2> nearest{1e9F, 1e9F};
    for (int level = 0; level < levels; ++level) {
      const float place = 2.0F * static_cast<float>(level) / static_cast<float>(levels - 1) - 1.0F;
      const float off = estimate - gain * place;
      float& best = nearest[static_cast<std::size_t>(level_bit(level, bit, bits_per_level))];
      best = std::min(best, off * off);
    }
    llrs[static_cast<std::size_t>(bit)] = to_llr((nearest[1] - nearest[0]) / (2 * noise_var));
  }
}

}  // namespace wccl::phy
