#include "phy/equalizer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "phy/least_squares.h"

namespace wccl::phy {
namespace {

constexpr int kLumaTaps = 25;
constexpr int kChromaTaps = 18;
constexpr int kKnownTaps = 9;     // For each channel that is known.
constexpr float kForget = 0.75F;  // Weight of what earlier captures taught.
constexpr double kRidge = 1e-3;   // Against the mean power of the taps' inputs.
constexpr double kGlobalPilots =
    60;  // Pilots' worth of trust that a region has in the whole screen.

/// Level from -1 to 1.
float pilot_target(const Layout& layout, std::int32_t index, int channel) {
  return 2.0F * static_cast<float>(layout.pilot_level(index, channel)) /
             static_cast<float>(layout.levels() - 1) -
         1.0F;
}

}  // namespace

Equalizer::Equalizer(int channels)
    : Equalizer(channels > 1 ? std::vector<int>{0, 1, 2} : std::vector<int>{0}, {}, channels > 1) {}

Equalizer::Equalizer(int target, std::vector<int> known)
    : Equalizer(std::vector<int>{target}, std::move(known), true) {}

Equalizer::Equalizer(std::vector<int> targets, std::vector<int> known, bool with_chroma)
    : targets_(std::move(targets)),
      known_(std::move(known)),
      with_chroma_(with_chroma),
      n_taps_(kLumaTaps + (with_chroma ? kChromaTaps : 0) +
              kKnownTaps * static_cast<int>(known_.size()) + 1) {
  assert(static_cast<std::size_t>(n_taps_) <= kMostTaps);
  const auto n = static_cast<std::size_t>(n_taps_);
  const std::size_t n_right = targets_.size() * n;
  for (Region& region : regions_) {
    region.normal.resize(n * n);
    region.right.resize(n_right);
  }
  region_taps_.resize(kRegions * n_right);
  tile_taps_.resize(kTiles * n_right);
}

void Equalizer::train(const Layout& layout,
                      const CellSamples& samples,
                      const KnownLevels* known,
                      std::span<const std::uint8_t> use_row) {
  accumulate(layout, samples, known, use_row);
  solve();
  blend_tiles();
  measure(layout, samples, known, use_row);
  settle_states();
  trained_ = true;
}

/// Where the inputs of the taps, all but the constant, of a row's first cell lie.
void Equalizer::inputs_of(const CellSamples& samples,
                          const KnownLevels* known,
                          int row,
                          Inputs& in) const {
  std::size_t n = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      in[n++] = samples.luma(row, dx, dy).data();
    }
  }
  for (int plane = 0; plane < 2 && with_chroma_; ++plane) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        in[n++] = samples.chroma(plane, row, dx, dy).data();
      }
    }
  }
  for (const int channel : known_) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        in[n++] = known->at(channel, row, dx, dy).data();
      }
    }
  }
}

void Equalizer::accumulate(const Layout& layout,
                           const CellSamples& samples,
                           const KnownLevels* known,
                           std::span<const std::uint8_t> use_row) {
  for (Region& region : regions_) {
    for (float& entry : region.normal) {
      entry *= kForget;
    }
    for (float& entry : region.right) {
      entry *= kForget;
    }
    region.weight *= static_cast<double>(kForget);
  }
  const auto n = static_cast<std::size_t>(n_taps_);
  Inputs inputs{};
  std::array<float, kMostTaps> features{};
  for (int row = 0; row < layout.rows(); ++row) {
    if (!use_row.empty() && use_row[static_cast<std::size_t>(row)] == 0) {
      continue;
    }
    inputs_of(samples, known, row, inputs);
    const auto kinds = layout.kinds(row);
    const auto indices = layout.indices(row);
    for (int column = 0; column < layout.columns(); ++column) {
      const auto at = static_cast<std::size_t>(column);
      if (kinds[at] != CellKind::kPilot) {
        continue;
      }
      Region& region =
          regions_[static_cast<std::size_t>(row * kRegionsDown / layout.rows() * kRegionsAcross +
                                            column * kRegionsAcross / layout.columns())];
      for (std::size_t i = 0; i + 1 < n; ++i) {
        features[i] = inputs[i][at];
      }
      features[n - 1] = 1.0F;
      float* normal = region.normal.data();
      for (std::size_t i = 0; i < n; ++i, normal += n) {
        const float feature = features[i];
        // The lower triangle, to the end of a SIMD register.
        const std::size_t end = std::min(n, (i | 7U) + 1);
        for (std::size_t j = 0; j < end; ++j) {
          normal[j] += feature * features[j];
        }
      }
      for (std::size_t t = 0; t < targets_.size(); ++t) {
        const float target = pilot_target(layout, indices[at], targets_[t]);
        float* right = region.right.data() + t * n;
        for (std::size_t i = 0; i < n; ++i) {
          right[i] += target * features[i];
        }
      }
      region.weight += 1;
    }
  }
}

void Equalizer::solve() {
  const auto n = static_cast<std::size_t>(n_taps_);
  std::vector<double> all(n * n);
  std::vector<double> all_right(regions_[0].right.size());
  double all_weight = 0;
  for (const Region& region : regions_) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] += static_cast<double>(region.normal[i]);
    }
    for (std::size_t i = 0; i < all_right.size(); ++i) {
      all_right[i] += static_cast<double>(region.right[i]);
    }
    all_weight += region.weight;
  }
  if (all_weight <= 0) {
    return;
  }
  const double share = kGlobalPilots / all_weight;
  std::vector<double> normal(n * n);
  std::vector<double> right(all_right.size());
  for (std::size_t r = 0; r < kRegions; ++r) {
    const Region& region = regions_[r];
    for (std::size_t i = 0; i < normal.size(); ++i) {
      normal[i] = static_cast<double>(region.normal[i]) + share * all[i];
    }
    for (std::size_t i = 0; i < right.size(); ++i) {
      right[i] = static_cast<double>(region.right[i]) + share * all_right[i];
    }
    double power = 0;
    for (std::size_t i = 0; i < n; ++i) {
      power += normal[i * n + i] / static_cast<double>(n);
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
      normal[i * n + i] += kRidge * power;
    }
    if (!solve_spd(normal, right, n_taps_)) {
      continue;
    }
    std::transform(right.begin(), right.end(),
                   region_taps_.begin() + static_cast<std::ptrdiff_t>(r * right.size()),
                   [](double tap) { return static_cast<float>(tap); });
  }
}

void Equalizer::blend_tiles() {
  const std::size_t n = targets_.size() * static_cast<std::size_t>(n_taps_);
  for (int tile = 0; tile < kTiles; ++tile) {
    const auto place = [](int at, int tiles, int regions) {
      return std::clamp((static_cast<float>(at) + 0.5F) / static_cast<float>(tiles) *
                                static_cast<float>(regions) -
                            0.5F,
                        0.0F, static_cast<float>(regions - 1));
    };
    const float x = place(tile % kTilesAcross, kTilesAcross, kRegionsAcross);
    const float y = place(tile / kTilesAcross, kTilesDown, kRegionsDown);
    const int left = std::min(static_cast<int>(x), kRegionsAcross - 2);
    const int top = std::min(static_cast<int>(y), kRegionsDown - 2);
    const float fx = x - static_cast<float>(left);
    const float fy = y - static_cast<float>(top);
    const float* a =
        region_taps_.data() + static_cast<std::size_t>(top * kRegionsAcross + left) * n;
    const float* b = a + n;
    const float* c = a + kRegionsAcross * n;
    const float* d = c + n;
    float* out = tile_taps_.data() + static_cast<std::size_t>(tile) * n;
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = (a[i] * (1 - fx) + b[i] * fx) * (1 - fy) + (c[i] * (1 - fx) + d[i] * fx) * fy;
    }
  }
}

void Equalizer::apply(const CellSamples& samples,
                      int row,
                      std::array<std::vector<float>, 3>& estimates,
                      const KnownLevels* known,
                      std::array<bool, 3> skip) const {
  const auto n = static_cast<std::size_t>(n_taps_);
  const auto columns = static_cast<std::size_t>(samples.columns());
  Inputs inputs{};
  inputs_of(samples, known, row, inputs);
  const int first_tile = tile_row(row, samples.rows());
  for (std::size_t target = 0; target < targets_.size(); ++target) {
    if (skip[static_cast<std::size_t>(targets_[target])]) {
      continue;
    }
    auto& out = estimates[static_cast<std::size_t>(targets_[target])];
    out.resize(columns);
    for (std::size_t tile = 0; tile < kTilesAcross; ++tile) {
      // The columns for which tile_column() gives this tile.
      const std::size_t begin = (tile * columns + kTilesAcross - 1) / kTilesAcross;
      const std::size_t end = ((tile + 1) * columns + kTilesAcross - 1) / kTilesAcross;
      const float* taps =
          tile_taps_.data() +
          ((static_cast<std::size_t>(first_tile) + tile) * targets_.size() + target) * n;
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(begin),
                out.begin() + static_cast<std::ptrdiff_t>(end), taps[n - 1]);
      float* to = out.data();
      for (std::size_t tap = 0; tap + 1 < n; ++tap) {
        const float weight = taps[tap];
        const float* from = inputs[tap];
        for (std::size_t i = begin; i < end; ++i) {
          to[i] += weight * from[i];
        }
      }
    }
  }
}

void Equalizer::measure(const Layout& layout,
                        const CellSamples& samples,
                        const KnownLevels* known,
                        std::span<const std::uint8_t> use_row) {
  for (auto& channel : sums_) {
    for (TileSums& sums : channel) {
      const auto keep = static_cast<double>(kForget);
      sums = {sums.weight * keep, sums.product * keep, sums.square * keep, sums.power * keep};
    }
  }
  std::array<std::vector<float>, 3> estimates;
  for (int row = 0; row < layout.rows(); ++row) {
    if (!use_row.empty() && use_row[static_cast<std::size_t>(row)] == 0) {
      continue;
    }
    const auto kinds = layout.kinds(row);
    const auto indices = layout.indices(row);
    apply(samples, row, estimates, known);
    const int first_tile = tile_row(row, layout.rows());
    for (int column = 0; column < layout.columns(); ++column) {
      const auto at = static_cast<std::size_t>(column);
      if (kinds[at] != CellKind::kPilot) {
        continue;
      }
      const auto tile =
          static_cast<std::size_t>(first_tile + tile_column(column, layout.columns()));
      for (const int channel : targets_) {
        const auto c = static_cast<std::size_t>(channel);
        const double target = pilot_target(layout, indices[at], channel);
        const double estimate = estimates[c][at];
        TileSums& sums = sums_[c][tile];
        sums.weight += 1;
        sums.product += estimate * target;
        sums.square += estimate * estimate;
        sums.power += target * target;
      }
    }
  }
}

void Equalizer::settle_states() {
  for (const int channel : targets_) {
    const auto c = static_cast<std::size_t>(channel);
    TileSums all;
    for (const TileSums& sums : sums_[c]) {
      all.weight += sums.weight;
      all.product += sums.product;
      all.square += sums.square;
      all.power += sums.power;
    }
    if (all.weight <= 0) {
      continue;
    }
    // The pilots taught the taps, so they look better than other cells: by the taps' share of them.
    const double fitted = std::min(0.5, n_taps_ / (all.weight / kRegions + kGlobalPilots));
    const double optimism = (1 + fitted) / (1 - fitted);
    const double prior = 20 / all.weight;
    for (std::size_t tile = 0; tile < kTiles; ++tile) {
      const TileSums& sums = sums_[c][tile];
      const double weight = sums.weight + prior * all.weight;
      const double gain = (sums.product + prior * all.product) / (sums.power + prior * all.power);
      const double power = (sums.power + prior * all.power) / weight;
      const double square = (sums.square + prior * all.square) / weight;
      const double variance = std::max(1e-4, square - gain * gain * power) * optimism;
      states_[c][tile] = {static_cast<float>(gain), static_cast<float>(variance)};
    }
  }
}

double Equalizer::snr_db(int channel) const {
  double sum = 0;
  for (const ChannelState& state : states_[static_cast<std::size_t>(channel)]) {
    const double ratio = static_cast<double>(state.gain * state.gain / state.noise_var);
    sum += 10 * std::log10(std::max(ratio, 1e-3)) / kTiles;
  }
  return sum;
}

}  // namespace wccl::phy
