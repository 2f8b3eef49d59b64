#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/image.h"
#include "phy/layout.h"
#include "phy/screen_geometry.h"

namespace wccl::phy {

/// Grey level to relative light: undoes the sRGB-like curve of cameras, so that blur and the mixing
/// of frames, which happen in light, stay linear. 0 to 1.
[[nodiscard]] float linear_light(float grey);

/// A capture resampled to a screen's grid of cells: luma at twice the cell rate each way, chroma at
/// the cell centres, with a cell more on all sides. Columns lie side by side, so that filters run
/// along rows.
class CellSamples {
 public:
  void resize(int rows, int columns, bool with_chroma);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] bool has_chroma() const { return with_chroma_; }

  /// Luma at columns' centres (half_x even) or edges, moved by half_x / 2 cells and half_y / 2
  /// cells from the centres of a row of cells. @return [columns], half_x and half_y from -2 to 2.
  [[nodiscard]] std::span<const float> luma(int row, int half_x, int half_y) const;
  /// Cb (plane 0) or Cr (1) at the centres of cells moved by dx, dy from -1 to 1.
  [[nodiscard]] std::span<const float> chroma(int plane, int row, int dx, int dy) const;

  /// Shifts and scales luma, Cb and Cr so that the pilots have mean 0 and variance 1: what changes
  /// from capture to capture with exposure and white balance is gone, and what was learned of one
  /// capture holds for the next.
  void normalize(const Layout& layout);

  // For the sampler
  [[nodiscard]] int lattice_rows() const { return 2 * rows_ + 3; }
  /// @param odd  0: at centres of columns -1 ... columns; 1: at edges 0 ... columns.
  [[nodiscard]] std::span<float> lattice_row(int lattice_row, int odd);
  [[nodiscard]] std::span<float> chroma_row(int plane, int row);

 private:
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(columns_) + 2; }
  [[nodiscard]] std::span<const float> centres(int plane, int row) const {
    return plane == 0 ? luma(row, 0, 0) : chroma(plane - 1, row, 0, 0);
  }

  int rows_ = 0;
  int columns_ = 0;
  bool with_chroma_ = false;
  std::vector<float> luma_;    ///< [lattice_rows][odd][columns + 2]
  std::vector<float> chroma_;  ///< [plane][rows + 2][columns + 2]
};

/// Fills CellSamples from captures. Holds scratch memory, so that a steady stream allocates
/// nothing.
class CellSampler {
 public:
  void sample(const YuvView& capture,
              const Layout& layout,
              const ScreenGeometry& geometry,
              CellSamples& samples);
  /// Luma alone, which is enough to find the pilots.
  void sample_luma(const YuvView& capture,
                   const Layout& layout,
                   const ScreenGeometry& geometry,
                   CellSamples& samples);
  /// Chroma where luma was sampled last.
  void sample_chroma(const YuvView& capture, CellSamples& samples);

 private:
  struct Mesh;
  void build_mesh(const Layout& layout, const ScreenGeometry& geometry);
  void copy_region(const PlaneView& luma);
  void fill_luma(CellSamples& samples);
  void row_positions(double u, double v, double du, std::size_t n);
  void place_points(Point first, Point step, std::size_t begin, std::size_t end);

  // Positions on every kKnotCells-th cell edge; between them the view is as good as bilinear.
  int knot_columns_ = 0;
  int knot_rows_ = 0;
  std::vector<Point> knots_;
  std::vector<Point> knot_line_;
  std::vector<float> xs_;
  std::vector<float> ys_;
  int n_points_ = 1;  ///< Across and down, of which a sample is the mean.
  // The part of the picture that holds the screen, in linear light, with a margin.
  int region_x_ = 0;
  int region_y_ = 0;
  int region_width_ = 0;
  int region_height_ = 0;
  std::vector<float> region_;
};

}  // namespace wccl::phy
