#include "room/screen_projector.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "room/vignetting.h"

namespace wccl::room {
namespace {

constexpr double kLargestFootprint =
    40;                      // panel pixels to a camera pixel: a panel seen edge-on needs no more
constexpr int kVector = 16;  // columns that are summed at once

#if defined(__AVX2__)

/// Sum over a footprint: rows first, then columns. @return in units of the panel's numbers times
/// kWeightOne.
std::int32_t footprint_sum(const std::int16_t* pixels,
                           std::ptrdiff_t stride,
                           const std::int16_t* row_weights,
                           int n_rows,
                           const std::int16_t* column_weights,
                           int n_columns) {
  __m256i sum = _mm256_setzero_si256();
  for (int column = 0; column < n_columns; column += kVector) {
    const std::int16_t* from = pixels + column;
    __m256i rows = _mm256_setzero_si256();
    for (int row = 0; row < n_rows; ++row, from += stride) {
      const __m256i values = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
      rows =
          _mm256_adds_epi16(rows, _mm256_mulhrs_epi16(values, _mm256_set1_epi16(row_weights[row])));
    }
    const __m256i weights =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(column_weights + column));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(rows, weights));
  }
  const __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  const __m128i quarter = _mm_add_epi32(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(1, 0, 3, 2)));
  return _mm_cvtsi128_si32(
      _mm_add_epi32(quarter, _mm_shuffle_epi32(quarter, _MM_SHUFFLE(2, 3, 0, 1))));
}

#else

/// The same numbers as with AVX2, bit for bit.
std::int32_t footprint_sum(const std::int16_t* pixels,
                           std::ptrdiff_t stride,
                           const std::int16_t* row_weights,
                           int n_rows,
                           const std::int16_t* column_weights,
                           int n_columns) {
  std::int32_t sum = 0;
  for (int column = 0; column < n_columns; column += kVector) {
    std::array<std::int32_t, kVector> rows{};
    for (int row = 0; row < n_rows; ++row) {
      const std::int16_t* from = pixels + column + row * stride;
      for (std::size_t i = 0; i < kVector; ++i) {
        rows[i] = std::min(rows[i] + ((from[i] * row_weights[row] + 0x4000) >> 15), 32767);
      }
    }
    for (std::size_t i = 0; i < kVector; ++i)
      sum += rows[i] * column_weights[column + static_cast<int>(i)];
  }
  return sum;
}

#endif

}  // namespace

ScreenProjector::ScreenProjector(const CameraSpec& camera,
                                 const Pose& camera_pose,
                                 const PanelSpec& panel_spec,
                                 const Pose& panel_pose)
    : panel_width_(static_cast<float>(panel_spec.width_px)),
      panel_height_(static_cast<float>(panel_spec.height_px)),
      psf_reach_(static_cast<float>(FootprintTable(camera.psf_sigma_px, 1, 1).reach())) {
  const Lens lens(camera, camera_pose);
  const PanelPlane panel(panel_spec, panel_pose);
  find_region(camera, lens, panel);
  if (region_.width == 0) return;
  map_nodes(camera, lens, panel);
  for (int row = 0; row < region_.height; ++row)
    columns_.push_back(lit_columns(row));
  make_footprints(camera.psf_sigma_px);
}

void ScreenProjector::find_region(const CameraSpec& camera,
                                  const Lens& lens,
                                  const PanelPlane& panel) {
  if (!panel.faces(lens.centre())) return;
  // The panel's inside is sampled too: its corners can be behind the camera while its middle is in
  // view.
  constexpr int kSamples = 48;
  double left = 1e9;
  double right = -1e9;
  double top = 1e9;
  double bottom = -1e9;
  for (int i = 0; i <= kSamples; ++i) {
    for (int j = 0; j <= kSamples; ++j) {
      const auto seen = lens.project(
          panel.at({panel.width_px() * i / kSamples, panel.height_px() * j / kSamples}));
      if (!seen) continue;
      left = std::min(left, seen->x);
      right = std::max(right, seen->x);
      top = std::min(top, seen->y);
      bottom = std::max(bottom, seen->y);
    }
  }
  const double spread = psf_reach_ + 2;  // two more for the outline's curve between samples
  const auto within = [](double value, int size) {
    return std::clamp(value, 0.0, static_cast<double>(size));
  };
  const int x0 = static_cast<int>(std::floor(within(left - spread, camera.width_px))) & ~1;
  const int y0 = static_cast<int>(std::floor(within(top - spread, camera.height_px))) & ~1;
  const int x1 = static_cast<int>(std::ceil(within(right + spread, camera.width_px)));
  const int y1 = static_cast<int>(std::ceil(within(bottom + spread, camera.height_px)));
  if (x1 > x0 && y1 > y0) region_ = {x0, y0, x1 - x0, y1 - y0};
}

void ScreenProjector::map_nodes(const CameraSpec& camera,
                                const Lens& lens,
                                const PanelPlane& panel) {
  nodes_per_row_ = region_.width / kNodePitch + 2;
  nodes_.reserve(static_cast<std::size_t>(nodes_per_row_) *
                 static_cast<std::size_t>(region_.height));
  const Point nowhere = {-1e6, -1e6};
  const auto on_panel = [&](double x, double y) {
    return panel.intersect(lens.centre(), lens.ray({x, y})).value_or(nowhere);
  };
  const auto size = [](double along_x, double along_y) {
    return static_cast<float>(std::clamp(std::hypot(along_x, along_y), 0.05, kLargestFootprint));
  };
  for (int row = 0; row < region_.height; ++row) {
    const double y = region_.y + row + 0.5;
    for (int i = 0; i < nodes_per_row_; ++i) {
      const double x = region_.x + i * kNodePitch + 0.5;
      const Point here = on_panel(x, y);
      const Point right = on_panel(x + 1, y);
      const Point below = on_panel(x, y + 1);
      Node node;
      node.u = static_cast<float>(here.x);
      node.v = static_cast<float>(here.y);
      node.light = static_cast<float>(vignetting_at(camera, {x, y}));
      node.width = size(right.x - here.x, below.x - here.x);
      node.height = size(right.y - here.y, below.y - here.y);
      nodes_.push_back(node);
      panel_rows_.push_back(std::clamp(node.v / panel_height_, 0.0F, 1.0F));
    }
  }
}

ScreenProjector::Columns ScreenProjector::lit_columns(int row) const {
  const Node* nodes = nodes_of(row);
  Columns columns{region_.width, 0};
  for (int x = 0; x < region_.width; ++x) {
    const Node& a = nodes[x / kNodePitch];
    const Node& b = nodes[x / kNodePitch + 1];
    const float t = static_cast<float>(x % kNodePitch) / kNodePitch;
    const float u = a.u + t * (b.u - a.u);
    const float v = a.v + t * (b.v - a.v);
    const float reach_u = psf_reach_ * std::max(a.width, b.width);
    const float reach_v = psf_reach_ * std::max(a.height, b.height);
    const bool touches = u + reach_u > 0 && u - reach_u < panel_width_ && v + reach_v > 0 &&
                         v - reach_v < panel_height_;
    if (!touches) continue;
    columns.begin = std::min(columns.begin, x);
    columns.end = x + 1;
  }
  if (columns.end == 0) columns.begin = 0;
  return columns;
}

void ScreenProjector::make_footprints(double psf_sigma_px) {
  std::array<float, 2> smallest = {kLargestFootprint, kLargestFootprint};
  std::array<float, 2> largest = {0.05F, 0.05F};
  for (int row = 0; row < region_.height; ++row) {
    const Columns columns = columns_[static_cast<std::size_t>(row)];
    if (columns.begin == columns.end) continue;
    for (int i = columns.begin / kNodePitch; i <= (columns.end - 1) / kNodePitch; ++i) {
      const Node& node = nodes_of(row)[i];
      smallest = {std::min(smallest[0], node.width), std::min(smallest[1], node.height)};
      largest = {std::max(largest[0], node.width), std::max(largest[1], node.height)};
    }
  }
  for (std::size_t axis = 0; axis < 2; ++axis) {
    footprints_.emplace_back(psf_sigma_px, std::min(smallest[axis], largest[axis]), largest[axis]);
  }
  for (Node& node : nodes_) {
    node.width_index = footprints_[0].size_index(node.width);
    node.height_index = footprints_[1].size_index(node.height);
  }
  margin_ = std::max(footprints_[0].padded_taps(), footprints_[1].n_taps()) + 2;
}

std::span<const float> ScreenProjector::panel_rows(int row) const {
  const auto per_row = static_cast<std::size_t>(nodes_per_row_);
  return std::span(panel_rows_).subspan(static_cast<std::size_t>(row) * per_row, per_row);
}

void ScreenProjector::project_row(const PanelLight& panel, int row, std::span<float> out) const {
  assert(out.size() == static_cast<std::size_t>(region_.width));
  assert(panel.margin() >= margin_);
  const Columns columns = columns_[static_cast<std::size_t>(row)];
  std::fill(out.begin(), out.end(), 0.0F);
  const FootprintTable& across = footprints_[0];
  const FootprintTable& down = footprints_[1];
  constexpr int kPhases = FootprintTable::kPhases;
  const auto unit = static_cast<float>(panel.unit() / FootprintTable::kWeightOne);
  const auto reach_u = static_cast<float>(across.reach());
  const auto reach_v = static_cast<float>(down.reach());
  // A row can leave the panel and come back; what lies outside falls into the dark margin.
  const auto lowest = static_cast<float>(-margin_);
  const int first_filter = row % 2;  // region_.y is even: R G R G in even rows, G B G B in odd ones

  for (int x = columns.begin; x < columns.end; ++x) {
    const Node& a = nodes_of(row)[x / kNodePitch];
    const Node& b = nodes_of(row)[x / kNodePitch + 1];
    const float t = static_cast<float>(x % kNodePitch) / kNodePitch;
    const float left = std::clamp(a.u + t * (b.u - a.u) - reach_u, lowest, panel_width_);
    const float top = std::clamp(a.v + t * (b.v - a.v) - reach_v, lowest, panel_height_);
    // Positive before the cast, so that it rounds down.
    const int u = static_cast<int>((left - lowest) * kPhases + 0.5F) - margin_ * kPhases;
    const int v = static_cast<int>((top - lowest) * kPhases + 0.5F) - margin_ * kPhases;
    const int phase_u = u & (kPhases - 1);
    const int phase_v = v & (kPhases - 1);
    const std::int32_t sum = footprint_sum(
        panel.pixel(first_filter + (x & 1), (u - phase_u) / kPhases, (v - phase_v) / kPhases),
        panel.stride(),
        down.weights(a.height_index) + static_cast<std::ptrdiff_t>(phase_v) * down.padded_taps(),
        down.n_taps(),
        across.weights(a.width_index) + static_cast<std::ptrdiff_t>(phase_u) * across.padded_taps(),
        across.n_taps());
    out[static_cast<std::size_t>(x)] =
        (a.light + t * (b.light - a.light)) * unit * static_cast<float>(sum);
  }
}

}  // namespace wccl::room
