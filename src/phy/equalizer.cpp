#include "phy/equalizer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "phy/least_squares.h"

namespace wccl::phy {
namespace {

constexpr int kLumaReach = 2;
constexpr int kChromaReach = 1;
constexpr int kKnownTaps = 9;  // For each channel that is known.
constexpr int kNeighbourTaps = 4;
constexpr std::array<std::array<int, 2>, kNeighbourTaps> kNeighbours{
    {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
constexpr float kForget = 0.75F;       // Weight of what earlier captures taught.
constexpr float kForgetHalf = 0.866F;  // The same if each teaches with half of its pilots.
constexpr int kFirstLessons = 10;      // Meanwhile cameras settle.
constexpr double kPilotsPerTap = 5;    // In each region: enough to go slower.
constexpr double kRidge = 1e-3;        // Against the mean power of the taps' inputs.
constexpr double kGlobalPilots =
    60;  // Pilots' worth of trust that a region has in the whole screen.

constexpr int square(int n) {
  return n * n;
}

/// Level from -1 to 1.
float pilot_target(const Layout& layout, std::int32_t index, int channel) {
  return 2.0F * static_cast<float>(layout.pilot_level(index, channel)) /
             static_cast<float>(layout.levels() - 1) -
         1.0F;
}

}  // namespace

Equalizer::Equalizer(int channels, bool neighbourhood)
    : Equalizer(channels > 1 ? std::vector<int>{0, 1, 2} : std::vector<int>{0},
                {},
                channels > 1,
                neighbourhood) {}

Equalizer::Equalizer(int channels, int target, Knowledge knowledge)
    : Equalizer(std::vector<int>{target}, std::move(knowledge), channels > 1, true) {}

Equalizer::Equalizer(std::vector<int> targets,
                     Knowledge knowledge,
                     bool with_chroma,
                     bool neighbourhood)
    : targets_(std::move(targets)),
      knowledge_(std::move(knowledge)),
      with_chroma_(with_chroma),
      luma_reach_(neighbourhood ? kLumaReach : 0),
      chroma_reach_(neighbourhood ? kChromaReach : 0),
      n_taps_(square(2 * luma_reach_ + 1) + (with_chroma ? 2 * square(2 * chroma_reach_ + 1) : 0) +
              kKnownTaps * static_cast<int>(knowledge_.channels.size()) +
              (knowledge_.own_neighbours ? kNeighbourTaps : 0) + 1),
      stride_((static_cast<std::size_t>(n_taps_) + 7) / 8 * 8) {
  assert(stride_ <= kMostTaps);
  const auto n = static_cast<std::size_t>(n_taps_);
  for (Region& region : regions_) {
    region.normal.resize(n * stride_);
    region.right.resize(targets_.size() * stride_);
  }
  region_taps_.resize(kRegions * targets_.size() * n);
  tile_taps_.resize(kTiles * targets_.size() * n);
}

void Equalizer::train(const Layout& layout,
                      const CellSamples& samples,
                      const KnownLevels* known,
                      std::span<const std::uint8_t> use_row) {
  collect(layout, samples, known, use_row);
  forget();
  accumulate(layout);
  solve();
  blend_tiles();
  measure(layout);
  settle_states();
  ++n_lessons_;
  trained_ = true;
}

/// Where the inputs of the taps, all but the constant, of a row's first cell lie.
void Equalizer::inputs_of(const CellSamples& samples,
                          const KnownLevels* known,
                          int row,
                          Inputs& in) const {
  std::size_t n = 0;
  for (int dy = -luma_reach_; dy <= luma_reach_; ++dy) {
    for (int dx = -luma_reach_; dx <= luma_reach_; ++dx) {
      in[n++] = samples.luma(row, dx, dy).data();
    }
  }
  for (int plane = 0; plane < 2 && with_chroma_; ++plane) {
    for (int dy = -chroma_reach_; dy <= chroma_reach_; ++dy) {
      for (int dx = -chroma_reach_; dx <= chroma_reach_; ++dx) {
        in[n++] = samples.chroma(plane, row, dx, dy).data();
      }
    }
  }
  for (const int channel : knowledge_.channels) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        in[n++] = known->at(channel, row, dx, dy).data();
      }
    }
  }
  if (knowledge_.own_neighbours) {
    for (const auto [dx, dy] : kNeighbours) {
      in[n++] = known->at(targets_[0], row, dx, dy).data();
    }
  }
}

bool Equalizer::knows_enough() const {
  double least = regions_[0].weight;
  for (const Region& region : regions_) {
    least = std::min(least, region.weight);
  }
  return n_lessons_ >= kFirstLessons && least > kPilotsPerTap * n_taps_;
}

/// Gathers inputs and targets at the pilots.
void Equalizer::collect(const Layout& layout,
                        const CellSamples& samples,
                        const KnownLevels* known,
                        std::span<const std::uint8_t> use_row) {
  lesson_.inputs.clear();
  lesson_.pilots.clear();
  lesson_.tiles.clear();
  lesson_.regions.clear();
  const int step = knows_enough() ? 2 : 1;
  const auto n = static_cast<std::size_t>(n_taps_);
  Inputs inputs{};
  for (int row = n_lessons_ % step; row < layout.rows(); row += step) {
    if (!use_row.empty() && use_row[static_cast<std::size_t>(row)] == 0) {
      continue;
    }
    inputs_of(samples, known, row, inputs);
    const auto kinds = layout.kinds(row);
    const auto indices = layout.indices(row);
    const int first_region = row * kRegionsDown / layout.rows() * kRegionsAcross;
    for (std::size_t at = 0; at < kinds.size(); ++at) {
      const auto column = static_cast<int>(at);
      // The neighbours of cells on the first half are on the second, and nobody knows them.
      if (kinds[at] != CellKind::kPilot ||
          (knowledge_.own_neighbours && (row + column) % kHalves == 0)) {
        continue;
      }
      const std::size_t start = lesson_.inputs.size();
      lesson_.inputs.resize(start + stride_);
      for (std::size_t i = 0; i + 1 < n; ++i) {
        lesson_.inputs[start + i] = inputs[i][at];
      }
      lesson_.inputs[start + n - 1] = 1.0F;
      lesson_.pilots.push_back(indices[at]);
      lesson_.tiles.push_back(static_cast<std::uint8_t>(tile_row(row, layout.rows()) +
                                                        tile_column(column, layout.columns())));
      lesson_.regions.push_back(
          static_cast<std::uint8_t>(first_region + column * kRegionsAcross / layout.columns()));
    }
  }
}

/// What was learned before counts less, in proportion to what is new.
void Equalizer::forget() {
  const float keep = knows_enough() ? kForgetHalf : kForget;
  for (Region& region : regions_) {
    for (float& entry : region.normal) {
      entry *= keep;
    }
    for (float& entry : region.right) {
      entry *= keep;
    }
    region.weight *= static_cast<double>(keep);
  }
  const auto keep_sums = static_cast<double>(keep);
  for (auto& channel : sums_) {
    for (TileSums& sums : channel) {
      sums = {sums.weight * keep_sums, sums.product * keep_sums, sums.square * keep_sums,
              sums.power * keep_sums};
    }
  }
}

void Equalizer::accumulate(const Layout& layout) {
  const auto n = static_cast<std::size_t>(n_taps_);
  for (std::size_t pilot = 0; pilot < lesson_.pilots.size(); ++pilot) {
    const float* in = lesson_.inputs.data() + pilot * stride_;
    Region& region = regions_[lesson_.regions[pilot]];
    float* normal = region.normal.data();
    for (std::size_t i = 0; i < n; ++i, normal += stride_) {
      const float input = in[i];
      // The lower triangle, to the end of a SIMD register.
      const std::size_t end = (i | 7U) + 1;
      for (std::size_t j = 0; j < end; ++j) {
        normal[j] += input * in[j];
      }
    }
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      const float target = pilot_target(layout, lesson_.pilots[pilot], targets_[t]);
      float* right = region.right.data() + t * stride_;
      for (std::size_t i = 0; i < stride_; ++i) {
        right[i] += target * in[i];
      }
    }
    region.weight += 1;
  }
}

void Equalizer::solve() {
  const auto n = static_cast<std::size_t>(n_taps_);
  std::vector<float> all(regions_[0].normal.size());
  std::vector<float> all_right(regions_[0].right.size());
  double all_weight = 0;
  for (const Region& region : regions_) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] += region.normal[i];
    }
    for (std::size_t i = 0; i < all_right.size(); ++i) {
      all_right[i] += region.right[i];
    }
    all_weight += region.weight;
  }
  if (all_weight <= 0) {
    return;
  }
  const double share = kGlobalPilots / all_weight;
  std::vector<double> normal(n * n);
  std::vector<double> right(targets_.size() * n);
  for (std::size_t r = 0; r < kRegions; ++r) {
    const Region& region = regions_[r];
    double power = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        normal[i * n + j] = static_cast<double>(region.normal[i * stride_ + j]) +
                            share * static_cast<double>(all[i * stride_ + j]);
      }
      power += normal[i * n + i] / static_cast<double>(n);
    }
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      for (std::size_t i = 0; i < n; ++i) {
        right[t * n + i] = static_cast<double>(region.right[t * stride_ + i]) +
                           share * static_cast<double>(all_right[t * stride_ + i]);
      }
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
      const auto [begin, end] = columns_of_tile(tile, columns);
      const float* taps =
          tile_taps_.data() +
          ((static_cast<std::size_t>(first_tile) + tile) * targets_.size() + target) * n;
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(begin),
                out.begin() + static_cast<std::ptrdiff_t>(end), taps[n - 1]);
      float* to = out.data();
      std::size_t tap = 0;
      // Four at a time: one load and store of the sum for four products.
      for (; tap + 4 < n; tap += 4) {
        const std::array<float, 4> w{taps[tap], taps[tap + 1], taps[tap + 2], taps[tap + 3]};
        const float* a = inputs[tap];
        const float* b = inputs[tap + 1];
        const float* c = inputs[tap + 2];
        const float* d = inputs[tap + 3];
        for (std::size_t i = begin; i < end; ++i) {
          to[i] += w[0] * a[i] + w[1] * b[i] + w[2] * c[i] + w[3] * d[i];
        }
      }
      for (; tap + 1 < n; ++tap) {
        const float weight = taps[tap];
        const float* from = inputs[tap];
        for (std::size_t i = begin; i < end; ++i) {
          to[i] += weight * from[i];
        }
      }
    }
  }
}

/// How the new taps do on the lesson.
void Equalizer::measure(const Layout& layout) {
  const auto n = static_cast<std::size_t>(n_taps_);
  for (std::size_t pilot = 0; pilot < lesson_.pilots.size(); ++pilot) {
    const float* in = lesson_.inputs.data() + pilot * stride_;
    const std::size_t tile = lesson_.tiles[pilot];
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      const float* taps = tile_taps_.data() + (tile * targets_.size() + t) * n;
      const double target = pilot_target(layout, lesson_.pilots[pilot], targets_[t]);
      const double estimate = std::inner_product(taps, taps + n, in, 0.0F);
      TileSums& sums = sums_[static_cast<std::size_t>(targets_[t])][tile];
      sums.weight += 1;
      sums.product += estimate * target;
      sums.square += estimate * estimate;
      sums.power += target * target;
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
