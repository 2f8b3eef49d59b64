#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "base/image.h"
#include "phy/frame_header.h"
#include "phy/homography.h"

namespace wccl::phy {

/// A lens's radial distortion: r' = r (1 + k r^2), with r in half diagonals of the picture.
struct Lens {
  Point centre;
  double half_diagonal = 1;
  double k = 0;

  static Lens of(int width, int height, double k) {
    return {{0.5 * width, 0.5 * height}, 0.5 * std::hypot(width, height), k};
  }
  [[nodiscard]] Point distort(Point p) const {
    const double x = (p.x - centre.x) / half_diagonal;
    const double y = (p.y - centre.y) / half_diagonal;
    const double stretch = (1 + k * (x * x + y * y)) * half_diagonal;
    return {centre.x + x * stretch, centre.y + y * stretch};
  }
  [[nodiscard]] Point undistort(Point p) const;
};

/// What projection and lens leave over: a cubic in the place on the panel, for x and for y.
class ResidualField {
 public:
  static constexpr std::size_t kTerms = 10;
  using Terms = std::array<double, kTerms>;

  /// @param u, v  Place on the panel, each from -1 to 1.
  [[nodiscard]] static Terms terms(double u, double v);
  [[nodiscard]] Point at(double u, double v) const;

  Terms x{};
  Terms y{};
};

/// Where a panel's pixels appear in the capture.
class ScreenGeometry {
 public:
  /// @param finders  Centres of the four finders in the capture, in corner order.
  [[nodiscard]] static std::optional<ScreenGeometry> from_finders(PanelSize panel,
                                                                  std::span<const Point, 4> finders,
                                                                  const Lens& lens);

  [[nodiscard]] PanelSize panel() const { return panel_; }
  [[nodiscard]] const Lens& lens() const { return lens_; }
  /// @param pixel  In panel pixels; (0, 0) is the corner of the lit area.
  [[nodiscard]] Point map(Point pixel) const;
  /// Root of the area that a panel pixel takes in the capture, around a panel pixel.
  [[nodiscard]] double scale(Point pixel) const;
  [[nodiscard]] const ResidualField& residual() const { return residual_; }
  void set_residual(const ResidualField& residual) { residual_ = residual; }
  /// Panel pixels to the -1 to 1 of the residual field.
  [[nodiscard]] Point normalised(Point pixel) const;

 private:
  PanelSize panel_;
  Lens lens_;
  Homography projection_;
  ResidualField residual_;
};

/// Centres of the finders in panel pixels.
[[nodiscard]] std::array<Point, 4> finder_centres(PanelSize panel);

}  // namespace wccl::phy
