#include "room/screen_projector.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "room/footprint_sum.h"
#include "room/vignetting.h"

namespace wccl::room {
namespace {

constexpr double kLargestFootprint =
    40;  // panel pixels to a camera pixel: a panel seen edge-on needs no more

// Pixels side by side count as level when they differ in height by less than this share of a
// footprint.
constexpr float kLevel = 0.025F;
// Two pixels to the side is two footprints at most: what FootprintTable's lead allows.
constexpr float kMostShared = 1.0F;
constexpr int kPhases = FootprintTable::kPhases;

/// A place on the panel in whole pixels and phases.
struct Place {
  int pixel = 0;
  int phase = 0;
};

/// @param lowest  A negative whole number that `position` does not fall below: the cast then rounds
/// down.
Place place_of(float position, float lowest) {
  const int phases = static_cast<int>((position - lowest) * kPhases + 0.5F);
  return {phases / kPhases + static_cast<int>(lowest), phases % kPhases};
}

void add_footprint(const std::int16_t* pixels,
                   std::ptrdiff_t stride,
                   const std::int16_t* row_weights,
                   const std::int16_t* column_weights,
                   PixelSum& sum,
                   int n_rows,
                   int n_columns) {
  for (int column = 0; column < n_columns; column += kSumColumns) {
    sum = weigh_columns(sum, weigh_rows(pixels + column, stride, row_weights, n_rows),
                        column_weights + column);
  }
}

/// Two that share their rows.
void add_footprints(const std::int16_t* pixels,
                    std::ptrdiff_t stride,
                    const std::int16_t* row_weights,
                    const std::int16_t* column_weights_a,
                    PixelSum& sum_a,
                    const std::int16_t* column_weights_b,
                    PixelSum& sum_b,
                    int n_rows,
                    int n_columns) {
  for (int column = 0; column < n_columns; column += kSumColumns) {
    const ColumnSums rows = weigh_rows(pixels + column, stride, row_weights, n_rows);
    sum_a = weigh_columns(sum_a, rows, column_weights_a + column);
    sum_b = weigh_columns(sum_b, rows, column_weights_b + column);
  }
}

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
  if (region_.width == 0) {
    return;
  }
  map_nodes(camera, lens, panel);
  for (int row = 0; row < region_.height; ++row) {
    columns_.push_back(lit_columns(row));
  }
  make_footprints(camera.psf_sigma_px);
}

void ScreenProjector::find_region(const CameraSpec& camera,
                                  const Lens& lens,
                                  const PanelPlane& panel) {
  if (!panel.faces(lens.centre())) {
    return;
  }
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
      if (!seen) {
        continue;
      }
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
  if (x1 > x0 && y1 > y0) {
    region_ = {x0, y0, x1 - x0, y1 - y0};
  }
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
    if (!touches) {
      continue;
    }
    columns.begin = std::min(columns.begin, x);
    columns.end = x + 1;
  }
  if (columns.end == 0) {
    columns.begin = 0;
  }
  return columns;
}

void ScreenProjector::make_footprints(double psf_sigma_px) {
  std::array<float, 2> smallest = {kLargestFootprint, kLargestFootprint};
  std::array<float, 2> largest = {0.05F, 0.05F};
  for (int row = 0; row < region_.height; ++row) {
    const Columns columns = columns_[static_cast<std::size_t>(row)];
    if (columns.begin == columns.end) {
      continue;
    }
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
  const FootprintTable& across = footprints_[0];
  margin_ =
      std::max(across.columns_for(across.lead()), footprints_[1].n_taps()) + across.lead() + 2;
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
  for (int x = columns.begin & ~3; x < columns.end; x += 4) {
    const std::array<float, 4> light = project_four(panel, row, x);
    std::copy_n(light.begin(), std::min(4, region_.width - x), out.begin() + x);
  }
}

/// Four neighbours have two colours; the two pixels of a colour share the sums over the panel's
/// rows, as long as they look at the same height of the panel.
std::array<float, 4> ScreenProjector::project_four(const PanelLight& panel, int row, int x) const {
  const FootprintTable& across = footprints_[0];
  const FootprintTable& down = footprints_[1];
  const Node& a = nodes_of(row)[x / kNodePitch];
  const Node& b = nodes_of(row)[x / kNodePitch + 1];
  const float du = (b.u - a.u) / kNodePitch;
  const float dv = (b.v - a.v) / kNodePitch;
  const auto along = static_cast<float>(x % kNodePitch);
  const auto reach_u = static_cast<float>(across.reach());
  const auto reach_v = static_cast<float>(down.reach());
  // A row can leave the panel and come back; what lies outside falls into the dark margin.
  const auto lowest = static_cast<float>(across.lead() - margin_);
  const auto left_of = [&](float i) {
    return std::clamp(a.u + (along + i) * du - reach_u, lowest, panel_width_);
  };
  const auto top_of = [&](float i) {
    return std::clamp(a.v + (along + i) * dv - reach_v, lowest, panel_height_);
  };

  const bool level = std::abs(dv) < kLevel * a.height && std::abs(du) < kMostShared * a.width;
  PixelSum sums[4] = {no_sum(), no_sum(), no_sum(), no_sum()};
  std::array<Place, 4> left;
  for (std::size_t i = 0; i < 4; ++i) {
    left[i] = place_of(left_of(static_cast<float>(i)), lowest);
  }
  for (std::size_t first = 0; first < 2; ++first) {
    const int filter =
        row % 2 +
        static_cast<int>(first);  // region_.y is even: R G R G in even rows, G B G B in odd
    const std::size_t second = first + 2;
    if (level) {
      const Place top = place_of(top_of(1.5F), lowest);
      const int begin = std::min(left[first].pixel, left[second].pixel);
      const int offset = std::max(left[first].pixel, left[second].pixel) - begin;
      add_footprints(
          panel.pixel(filter, begin, top.pixel), panel.stride(),
          down.weights(a.height_index, top.phase),
          across.weights(a.width_index, left[first].phase) - (left[first].pixel - begin),
          sums[first],
          across.weights(a.width_index, left[second].phase) - (left[second].pixel - begin),
          sums[second], down.n_taps(), across.columns_for(offset));
    } else {
      for (const std::size_t i : {first, second}) {
        const Place top = place_of(top_of(static_cast<float>(i)), lowest);
        add_footprint(panel.pixel(filter, left[i].pixel, top.pixel), panel.stride(),
                      down.weights(a.height_index, top.phase),
                      across.weights(a.width_index, left[i].phase), sums[i], down.n_taps(),
                      across.columns_for(0));
      }
    }
  }
  std::array<float, 4> light = totals(sums[0], sums[1], sums[2], sums[3]);
  const auto unit = static_cast<float>(panel.unit() / FootprintTable::kWeightOne);
  for (std::size_t i = 0; i < 4; ++i) {
    const float t = (along + static_cast<float>(i)) / kNodePitch;
    light[i] *= unit * (a.light + t * (b.light - a.light));
  }
  return light;
}

}  // namespace wccl::room
