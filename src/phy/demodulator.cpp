#include "phy/demodulator.h"

#include <algorithm>
#include <array>
#include <cstddef>

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

namespace {

// A byte may alias anything: these loops work on copies, so that they become SIMD.

void demodulate_clean(const float* estimates, std::size_t n, ChannelState state, Llr* llrs) {
  const float scale = 2 * state.gain / state.noise_var;
  for (std::size_t i = 0; i < n; ++i) {
    llrs[i] = to_llr(scale * estimates[i]);
  }
}

/// @param phase  Of the first cell, less the frame's number.
void demodulate_mixed(const float* estimates,
                      const float* others,
                      std::size_t n,
                      ChannelState state,
                      float phase,
                      float step,
                      Llr* llrs) {
  for (std::size_t i = 0; i < n; ++i) {
    const float share = 1 - std::abs(phase + step * static_cast<float>(i));
    const float llr = llr_of_bit(estimates[i], state, share, others[i]);
    llrs[i] = to_llr(share < kLeastShare ? 0.0F : llr);
  }
}

/// Two levels, all columns at once.
void demodulate_columns(const RowQuery& query, RowScratch& scratch) {
  const std::size_t n_columns = query.estimates.size();
  const int first_tile = Equalizer::tile_row(query.row, query.layout->rows());
  const bool is_clean = query.phases.shows_only(query.frame);
  for (std::size_t tile = 0; tile < Equalizer::kTilesAcross; ++tile) {
    const auto [begin, end] = Equalizer::columns_of_tile(tile, n_columns);
    const ChannelState& state =
        query.equalizer->state(query.channel, first_tile + static_cast<int>(tile));
    const float* estimates = query.estimates.data() + begin;
    Llr* llrs = scratch.llrs.data() + begin;
    if (is_clean) {
      demodulate_clean(estimates, end - begin, state, llrs);
    } else {
      demodulate_mixed(estimates, scratch.others.data() + begin, end - begin, state,
                       query.phases.at(begin) - static_cast<float>(query.frame), query.phases.step,
                       llrs);
    }
  }
}

/// What is known of the other frame in each column's light.
void find_others(const RowQuery& query, RowScratch& scratch) {
  const auto columns = query.layout->data_columns(query.row);
  if (query.phases.shows_only(query.frame)) {
    return;
  }
  std::fill(scratch.others.begin(), scratch.others.end(), 0.0F);
  if (query.before.empty() && query.after.empty()) {
    return;
  }
  const auto first = static_cast<std::size_t>(query.layout->indices(query.row)[columns[0]]);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool is_before = query.phases.at(columns[i]) < static_cast<float>(query.frame);
    const auto others = is_before ? query.before : query.after;
    scratch.others[columns[i]] = others.empty() ? 0.0F : static_cast<float>(others[first + i]);
  }
}

void demodulate_two_levels(const RowQuery& query, RowScratch& scratch, std::span<Llr> llrs) {
  const std::size_t n_columns = query.estimates.size();
  scratch.llrs.resize(n_columns);
  scratch.others.resize(n_columns);
  find_others(query, scratch);
  demodulate_columns(query, scratch);
  if (query.half != kBothHalves) {
    const auto other = static_cast<std::size_t>((query.row + query.half + 1) % kHalves);
    for (std::size_t column = other; column < n_columns; column += kHalves) {
      scratch.llrs[column] = 0;
    }
  }
  Llr* out = llrs.data();
  const Llr* in = scratch.llrs.data();
  for (const std::uint16_t column : query.layout->data_columns(query.row)) {
    *out++ = in[column];
  }
}

void demodulate_many_levels(const RowQuery& query, std::span<Llr> llrs) {
  const auto columns = query.layout->data_columns(query.row);
  const auto indices = query.layout->indices(query.row);
  const auto bits = static_cast<std::size_t>(query.layout->mode().bits_per_level);
  const int first_tile = Equalizer::tile_row(query.row, query.layout->rows());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t column = columns[i];
    const auto out = llrs.subspan(i * bits, bits);
    const float phase = query.phases.at(column);
    const float share = share_of(phase, query.frame);
    const int half = (query.row + static_cast<int>(column)) % kHalves;
    if (share < kLeastShare || (query.half != kBothHalves && query.half != half)) {
      std::fill(out.begin(), out.end(), Llr{0});
      continue;
    }
    const auto others = phase < static_cast<float>(query.frame) ? query.before : query.after;
    const float other = others.empty()
                            ? 0.0F
                            : static_cast<float>(others[static_cast<std::size_t>(indices[column])]);
    const int tile =
        first_tile + Equalizer::tile_column(static_cast<int>(column), query.layout->columns());
    demodulate(query.estimates[column], query.equalizer->state(query.channel, tile), share, other,
               out);
  }
}

}  // namespace

void demodulate_row(const RowQuery& query, RowScratch& scratch, std::span<Llr> llrs) {
  if (query.layout->levels() == 2) {
    demodulate_two_levels(query, scratch, llrs);
  } else {
    demodulate_many_levels(query, llrs);
  }
}

}  // namespace wccl::phy
