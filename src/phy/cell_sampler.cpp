#include "phy/cell_sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr int kKnotCells = 8;
constexpr int kRegionMargin = 4;
constexpr int kPhases = 64;            // Of a pixel: position in the kernel's table.
constexpr double kPointPitchPx = 1.5;  // Larger cells are averaged over points this close.

std::array<float, 256> make_linear_table() {
  std::array<float, 256> table{};
  for (std::size_t grey = 0; grey < table.size(); ++grey) {
    table[grey] = static_cast<float>(std::pow(static_cast<double>(grey) / 255.0, 2.2));
  }
  return table;
}
const std::array<float, 256> kLinear = make_linear_table();

using Quad [[gnu::vector_size(16)]] = float;

Quad load_quad(const float* from) {
  Quad quad;
  std::memcpy(&quad, from, sizeof quad);
  return quad;
}

/// Weights of four neighbouring pixels (Catmull and Rom's cubic) for each phase.
using Kernel = std::array<std::array<float, 4>, kPhases>;
Kernel make_kernel() {
  Kernel kernel{};
  for (std::size_t phase = 0; phase < kPhases; ++phase) {
    const double t = (static_cast<double>(phase) + 0.5) / kPhases;
    const std::array<double, 4> weights{
        -0.5 * t + t * t - 0.5 * t * t * t, 1 - 2.5 * t * t + 1.5 * t * t * t,
        0.5 * t + 2 * t * t - 1.5 * t * t * t, -0.5 * t * t + 0.5 * t * t * t};
    for (std::size_t i = 0; i < 4; ++i) {
      kernel[phase][i] = static_cast<float>(weights[i]);
    }
  }
  return kernel;
}
const Kernel kKernel = make_kernel();

/// @param x, y  In pixels with centres at whole numbers; two pixels of margin must lie around.
inline float sample_cubic(const float* pixels, std::ptrdiff_t stride, float x, float y) {
  const int left = static_cast<int>(x);
  const int top = static_cast<int>(y);
  const auto phase_x = static_cast<int>((x - static_cast<float>(left)) * kPhases);
  const auto phase_y = static_cast<int>((y - static_cast<float>(top)) * kPhases);
  const Quad wx = load_quad(kKernel[static_cast<std::size_t>(phase_x)].data());
  const auto& wy = kKernel[static_cast<std::size_t>(phase_y)];
  const float* row = pixels + (top - 1) * stride + left - 1;
  const Quad columns = wy[0] * load_quad(row) + wy[1] * load_quad(row + stride) +
                       wy[2] * load_quad(row + 2 * stride) + wy[3] * load_quad(row + 3 * stride);
  const Quad products = wx * columns;
  return (products[0] + products[1]) + (products[2] + products[3]);
}

int points_for(double size_px) {
  return std::max(1, static_cast<int>(std::ceil(size_px / kPointPitchPx - 0.2)));
}

}  // namespace

float linear_light(float grey) {
  return std::pow(std::max(grey, 0.0F) / 255.0F, 2.2F);
}

void CellSamples::resize(int rows, int columns, bool with_chroma) {
  rows_ = rows;
  columns_ = columns;
  with_chroma_ = with_chroma;
  luma_.resize(static_cast<std::size_t>(lattice_rows()) * 2 * width());
  chroma_.resize(with_chroma ? 2 * (static_cast<std::size_t>(rows) + 2) * width() : 0);
}

std::span<const float> CellSamples::luma(int row, int half_x, int half_y) const {
  const int odd = half_x & 1;
  const int first = odd != 0 ? (half_x + 1) / 2 : half_x / 2 + 1;
  const std::size_t line =
      static_cast<std::size_t>(2 * row + half_y + 2) * 2 + static_cast<std::size_t>(odd);
  return std::span(luma_).subspan(line * width() + static_cast<std::size_t>(first),
                                  static_cast<std::size_t>(columns_));
}

std::span<const float> CellSamples::chroma(int plane, int row, int dx, int dy) const {
  const std::size_t line = static_cast<std::size_t>(plane * (rows_ + 2) + row + dy + 1);
  return std::span(chroma_).subspan(line * width() + static_cast<std::size_t>(dx + 1),
                                    static_cast<std::size_t>(columns_));
}

void CellSamples::normalize(const Layout& layout) {
  for (int plane = 0; plane < (with_chroma_ ? 3 : 1); ++plane) {
    double n = 0;
    double sum = 0;
    double square = 0;
    for (int row = 0; row < rows_; ++row) {
      const auto kinds = layout.kinds(row);
      const auto samples = centres(plane, row);
      for (std::size_t column = 0; column < kinds.size(); ++column) {
        if (kinds[column] == CellKind::kPilot) {
          const auto sample = static_cast<double>(samples[column]);
          n += 1;
          sum += sample;
          square += sample * sample;
        }
      }
    }
    const double mean = sum / std::max(1.0, n);
    const double deviation = std::sqrt(std::max(1e-9, square / std::max(1.0, n) - mean * mean));
    const auto scale = static_cast<float>(1 / deviation);
    const auto shift = static_cast<float>(-mean / deviation);
    const std::size_t half = chroma_.size() / 2;
    const std::span<float> all =
        plane == 0 ? std::span(luma_) : std::span(chroma_).subspan(plane == 1 ? 0 : half, half);
    for (float& sample : all) {
      sample = sample * scale + shift;
    }
  }
}

std::span<float> CellSamples::lattice_row(int lattice_row, int odd) {
  const std::size_t line =
      static_cast<std::size_t>(lattice_row) * 2 + static_cast<std::size_t>(odd);
  return std::span(luma_).subspan(line * width(), width());
}

std::span<float> CellSamples::chroma_row(int plane, int row) {
  const std::size_t line = static_cast<std::size_t>(plane * (rows_ + 2) + row);
  return std::span(chroma_).subspan(line * width(), width());
}

void CellSampler::sample(const YuvView& capture,
                         const Layout& layout,
                         const ScreenGeometry& geometry,
                         CellSamples& samples) {
  sample_luma(capture, layout, geometry, samples);
  sample_chroma(capture, samples);
}

void CellSampler::sample_luma(const YuvView& capture,
                              const Layout& layout,
                              const ScreenGeometry& geometry,
                              CellSamples& samples) {
  samples.resize(layout.rows(), layout.columns(), layout.channels() > 1);
  build_mesh(layout, geometry);
  copy_region(capture.y);
  const PanelSize panel = layout.panel();
  const double cell_px =
      geometry.scale({0.5 * panel.width_px, 0.5 * panel.height_px}) * layout.mode().cell_px;
  n_points_ = points_for(0.5 * cell_px);
  fill_luma(samples);
}

void CellSampler::build_mesh(const Layout& layout, const ScreenGeometry& geometry) {
  // From one cell outside the grid to one cell outside, at least.
  knot_columns_ = (layout.columns() + 2 * kKnotCells - 1) / kKnotCells + 2;
  knot_rows_ = (layout.rows() + 2 * kKnotCells - 1) / kKnotCells + 2;
  knots_.resize(static_cast<std::size_t>(knot_columns_) * static_cast<std::size_t>(knot_rows_));
  const int cell_px = layout.mode().cell_px;
  std::size_t at = 0;
  for (int row = 0; row < knot_rows_; ++row) {
    for (int column = 0; column < knot_columns_; ++column) {
      const double u = (column - 1) * kKnotCells;
      const double v = (row - 1) * kKnotCells;
      knots_[at++] =
          geometry.map({layout.origin_x() + u * cell_px, layout.origin_y() + v * cell_px});
    }
  }
}

void CellSampler::copy_region(const PlaneView& luma) {
  Point low = knots_.front();
  Point high = low;
  for (const Point& p : knots_) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  // Far outside the picture there is nothing to see; positions are held within the region below.
  const auto bound = [](double value, int most) {
    return static_cast<int>(std::clamp(value, -8.0, static_cast<double>(most) + 8.0));
  };
  region_x_ = bound(std::floor(low.x), luma.width) - kRegionMargin;
  region_y_ = bound(std::floor(low.y), luma.height) - kRegionMargin;
  region_width_ = bound(std::ceil(high.x), luma.width) + kRegionMargin - region_x_ + 1;
  region_height_ = bound(std::ceil(high.y), luma.height) + kRegionMargin - region_y_ + 1;
  region_.resize(static_cast<std::size_t>(region_width_) *
                 static_cast<std::size_t>(region_height_));
  float* out = region_.data();
  for (int y = 0; y < region_height_; ++y) {
    const std::uint8_t* row = luma.row(std::clamp(region_y_ + y, 0, luma.height - 1));
    for (int x = 0; x < region_width_; ++x) {
      *out++ = kLinear[row[std::clamp(region_x_ + x, 0, luma.width - 1)]];
    }
  }
}

/// Positions of n points from (u, v) in cells, du apart, into xs_ and ys_.
void CellSampler::row_positions(double u, double v, double du, std::size_t n) {
  const double knot_v = v / kKnotCells + 1;
  const int upper = std::clamp(static_cast<int>(knot_v), 0, knot_rows_ - 2);
  const double fv = knot_v - upper;
  knot_line_.resize(static_cast<std::size_t>(knot_columns_));
  const Point* a = knots_.data() + static_cast<std::ptrdiff_t>(upper) * knot_columns_;
  const Point* b = a + knot_columns_;
  for (std::size_t i = 0; i < knot_line_.size(); ++i) {
    knot_line_[i] = {a[i].x + (b[i].x - a[i].x) * fv, a[i].y + (b[i].y - a[i].y) * fv};
  }
  xs_.resize(n);
  ys_.resize(n);
  const double knot_u = u / kKnotCells + 1;
  const double knot_step = du / kKnotCells;
  std::size_t begin = 0;
  for (int left = std::clamp(static_cast<int>(knot_u), 0, knot_columns_ - 2); begin < n; ++left) {
    // The points up to the next knot, or all the rest.
    const double inside = (left + 1 - knot_u) / knot_step;
    const std::size_t end =
        left + 2 >= knot_columns_ ? n : std::min(n, static_cast<std::size_t>(std::ceil(inside)));
    const Point& p = knot_line_[static_cast<std::size_t>(left)];
    const Point& q = knot_line_[static_cast<std::size_t>(left) + 1];
    const double fu = knot_u + knot_step * static_cast<double>(begin) - left;
    const Point first{p.x + (q.x - p.x) * fu - 0.5 - region_x_,
                      p.y + (q.y - p.y) * fu - 0.5 - region_y_};
    const Point step{(q.x - p.x) * knot_step, (q.y - p.y) * knot_step};
    place_points(first, step, begin, end);
    begin = std::max(begin, end);
  }
}

/// Positions along a line, held within the region.
void CellSampler::place_points(Point first, Point step, std::size_t begin, std::size_t end) {
  const auto x_most = static_cast<float>(region_width_ - 3);
  const auto y_most = static_cast<float>(region_height_ - 3);
  const auto x0 = static_cast<float>(first.x);
  const auto y0 = static_cast<float>(first.y);
  const auto dx = static_cast<float>(step.x);
  const auto dy = static_cast<float>(step.y);
  float* xs = xs_.data() + begin;
  float* ys = ys_.data() + begin;
  for (std::size_t i = 0; begin + i < end; ++i) {
    const auto along = static_cast<float>(i);
    xs[i] = held_within(x0 + dx * along, 1.0F, x_most);
    ys[i] = held_within(y0 + dy * along, 1.0F, y_most);
  }
}

void CellSampler::fill_luma(CellSamples& samples) {
  const int n_points = n_points_;
  const float share = 1.0F / static_cast<float>(n_points * n_points);
  const std::ptrdiff_t stride = region_width_;
  for (int line = 0; line < samples.lattice_rows(); ++line) {
    for (int odd = 0; odd < 2; ++odd) {
      const auto out = samples.lattice_row(line, odd);
      std::fill(out.begin(), out.end(), 0.0F);
      for (int point = 0; point < n_points * n_points; ++point) {
        const double across = ((point % n_points + 0.5) / n_points - 0.5) * 0.5;
        const double down = ((point / n_points + 0.5) / n_points - 0.5) * 0.5;
        const double u = (odd != 0 ? 0.0 : -0.5) + across;
        row_positions(u, 0.5 * (line - 2) + 0.5 + down, 1.0, out.size());
        for (std::size_t i = 0; i < out.size(); ++i) {
          out[i] += sample_cubic(region_.data(), stride, xs_[i], ys_[i]) * share;
        }
      }
    }
  }
}

void CellSampler::sample_chroma(const YuvView& capture, CellSamples& samples) {
  if (!samples.has_chroma()) {
    return;
  }
  const int n_points = n_points_;
  const auto ratio = [](int chroma, int luma) { return 2 * chroma <= luma + 1 ? 0.5 : 1.0; };
  const auto rx = static_cast<float>(ratio(capture.cb.width, capture.y.width));
  const auto ry = static_cast<float>(ratio(capture.cb.height, capture.y.height));
  const float x0 = static_cast<float>(region_x_) + 0.5F;
  const float y0 = static_cast<float>(region_y_) + 0.5F;
  const float share = 1.0F / static_cast<float>(n_points * n_points) / 128.0F;
  for (int line = 0; line < samples.rows() + 2; ++line) {
    const auto cb = samples.chroma_row(0, line);
    const auto cr = samples.chroma_row(1, line);
    std::fill(cb.begin(), cb.end(), -1.0F);
    std::fill(cr.begin(), cr.end(), -1.0F);
    for (int point = 0; point < n_points * n_points; ++point) {
      const double across = (point % n_points + 0.5) / n_points - 0.5;
      const double down = (point / n_points + 0.5) / n_points - 0.5;
      row_positions(-0.5 + across, line - 0.5 + down, 1.0, cb.size());
      for (std::size_t i = 0; i < cb.size(); ++i) {
        const BilinearPlace place(capture.cb, (xs_[i] + x0) * rx, (ys_[i] + y0) * ry);
        cb[i] += place.sample(capture.cb) * share;
        cr[i] += place.sample(capture.cr) * share;
      }
    }
  }
}

}  // namespace wccl::phy
