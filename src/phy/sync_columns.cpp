#include "phy/sync_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "phy/cell_sampler.h"
#include "phy/layout.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr double kSnap = 0.07;  // Shares nearer to a whole frame than this are noise.

/// What share of a column's light falls onto the middle of its neighbour: the tail of the lens's
/// blur.
double leak(double module_px) {
  constexpr double kBlurPx = 0.85;
  return 0.5 * std::erfc(0.5 * module_px / kBlurPx / std::sqrt(2.0));
}

/// Light of the columns of a band: bezel, border, dark, high bit, low bit, payload.
using Band = std::array<double, 6>;

Band read_band(
    const PlaneView& luma, const ScreenGeometry& geometry, int side, double y, double module) {
  Band band{};
  const double width = geometry.panel().width_px;
  for (std::size_t column = 0; column < band.size(); ++column) {
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
      const double inset = module * (static_cast<double>(column) - 0.5 + 0.2 * (i % 3 - 1));
      const double dy = module * (i / 3 - 0.5) * 0.25;
      const Point p = geometry.map({side == 0 ? inset : width - inset, y + dy});
      sum += static_cast<double>(linear_light(sample_bilinear(luma, p.x, p.y)));
    }
    band[column] = sum / 6;
  }
  return band;
}

/// Place of a pair of levels on the cycle 00, 01, 11, 10 of the Gray code, 0 to 4.
double phase_of(double high, double low) {
  struct Edge {
    double along;
    double off;
  };
  // A frame's bits are 1 where its column is dark.
  const std::array<Edge, 4> edges{
      {{low, high}, {high, 1 - low}, {1 - low, 1 - high}, {1 - high, low}}};
  double best = 1e9;
  double phase = 0;
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    const double along = std::clamp(edges[edge].along, 0.0, 1.0);
    const double distance = std::hypot(edges[edge].off, edges[edge].along - along);
    if (distance >= best) {
      continue;
    }
    best = distance;
    phase = static_cast<double>(edge) + (along < kSnap ? 0 : along > 1 - kSnap ? 1 : along);
  }
  return phase;
}

std::vector<float> read_side(const PlaneView& luma,
                             const ScreenGeometry& geometry,
                             int side,
                             double top,
                             double pitch,
                             std::size_t n,
                             double module) {
  std::vector<std::array<double, 2>> levels(n);
  const double l = leak(module * geometry.scale({0, top + 0.5 * pitch * static_cast<double>(n)}));
  for (std::size_t i = 0; i < n; ++i) {
    const Band raw =
        read_band(luma, geometry, side, top + pitch * (static_cast<double>(i) + 0.5), module);
    Band band = raw;
    for (std::size_t c = 1; c + 1 < raw.size(); ++c) {
      band[c] = (raw[c] - l * (raw[c - 1] + raw[c + 1])) / (1 - 2 * l);
    }
    const double range = std::max(1e-3, band[1] - band[2]);
    levels[i] = {1 - (band[3] - band[2]) / range, 1 - (band[4] - band[2]) / range};
  }
  std::vector<float> phases(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t a = i > 0 ? i - 1 : i;
    const std::size_t b = std::min(i + 1, n - 1);
    phases[i] = static_cast<float>(phase_of((levels[a][0] + levels[i][0] + levels[b][0]) / 3,
                                            (levels[a][1] + levels[i][1] + levels[b][1]) / 3));
  }
  return phases;
}

/// Adds a multiple of 4 so that the phase lies from `low` on.
float wrap_from(float phase, float low) {
  return phase - 4 * std::floor((phase - low) / 4);
}

}  // namespace

FramePhases FramePhases::read(const PlaneView& luma, const ScreenGeometry& geometry) {
  FramePhases phases;
  const PanelSize panel = geometry.panel();
  const double module = module_px(panel);
  phases.top_ = kCornerModules * module;
  const double height = panel.height_px - 2 * phases.top_;
  const auto n = static_cast<std::size_t>(std::max(1.0, std::floor(height / module)));
  phases.pitch_ = height / static_cast<double>(n);
  const auto left = read_side(luma, geometry, 0, phases.top_, phases.pitch_, n, module);
  const auto right = read_side(luma, geometry, 1, phases.top_, phases.pitch_, n, module);
  phases.rows_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    phases.rows_[i] = {left[i], right[i]};
  }
  return phases;
}

void FramePhases::resolve(std::uint16_t sequence, float back) {
  const float first = static_cast<float>(sequence) - back;
  for (Row& row : rows_) {
    row = {wrap_from(row.left, first), wrap_from(row.right, first)};
  }
}

FramePhases::Row FramePhases::at(double y) const {
  const double place = (y - top_) / pitch_ - 0.5;
  const double most = static_cast<double>(rows_.size()) - 1;
  const double held = std::clamp(place, 0.0, most);
  const auto i = static_cast<std::size_t>(held);
  const std::size_t j = std::min(i + 1, rows_.size() - 1);
  const auto f = static_cast<float>(held - static_cast<double>(i));
  const auto mix = [f](float a, float b) {
    return std::abs(a - b) > 1 ? (f < 0.5F ? a : b) : a + (b - a) * f;
  };
  return {mix(rows_[i].left, rows_[j].left), mix(rows_[i].right, rows_[j].right)};
}

std::vector<FrameShare> FramePhases::shares() const {
  std::map<int, double> sums;
  for (const Row& row : rows_) {
    for (const float phase : {row.left, row.right}) {
      const float whole = std::floor(phase);
      const double later = static_cast<double>(phase - whole);
      sums[static_cast<int>(whole)] += 1 - later;
      sums[static_cast<int>(whole) + 1] += later;
    }
  }
  std::vector<FrameShare> shares;
  for (const auto& [frame, sum] : sums) {
    if (sum > 0) {
      shares.push_back(
          {static_cast<std::uint16_t>(frame), sum / (2 * static_cast<double>(rows_.size()))});
    }
  }
  return shares;
}

}  // namespace wccl::phy
