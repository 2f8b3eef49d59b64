#include "phy/screen_geometry.h"

#include <cmath>

#include "phy/layout.h"

namespace wccl::phy {

Point Lens::undistort(Point p) const {
  const double x = (p.x - centre.x) / half_diagonal;
  const double y = (p.y - centre.y) / half_diagonal;
  const double distorted = std::hypot(x, y);
  if (distorted == 0 || k == 0) {
    return p;
  }
  double r = distorted;
  for (int round = 0; round < 6; ++round) {  // Newton's method on r (1 + k r^2) = distorted.
    r -= (r * (1 + k * r * r) - distorted) / std::max(0.1, 1 + 3 * k * r * r);
  }
  const double scale = r / distorted * half_diagonal;
  return {centre.x + x * scale, centre.y + y * scale};
}

ResidualField::Terms ResidualField::terms(double u, double v) {
  return {1, u, v, u * u, u * v, v * v, u * u * u, u * u * v, u * v * v, v * v * v};
}

Point ResidualField::at(double u, double v) const {
  const Terms t = terms(u, v);
  Point sum;
  for (std::size_t i = 0; i < kTerms; ++i) {
    sum.x += x[i] * t[i];
    sum.y += y[i] * t[i];
  }
  return sum;
}

std::optional<ScreenGeometry> ScreenGeometry::from_finders(PanelSize panel,
                                                           std::span<const Point, 4> finders,
                                                           const Lens& lens) {
  std::array<Point, 4> straight{};
  for (std::size_t i = 0; i < straight.size(); ++i) {
    straight[i] = lens.undistort(finders[i]);
  }
  const auto projection = Homography::fit(finder_centres(panel), straight);
  if (!projection) {
    return std::nullopt;
  }
  ScreenGeometry geometry;
  geometry.panel_ = panel;
  geometry.lens_ = lens;
  geometry.projection_ = *projection;
  return geometry;
}

Point ScreenGeometry::map(Point pixel) const {
  const Point p = lens_.distort(projection_.map(pixel));
  const Point n = normalised(pixel);
  const Point r = residual_.at(n.x, n.y);
  return {p.x + r.x, p.y + r.y};
}

double ScreenGeometry::scale(Point pixel) const {
  return std::sqrt(std::abs(projection_.area_scale(pixel)));
}

Point ScreenGeometry::normalised(Point pixel) const {
  return {2 * pixel.x / panel_.width_px - 1, 2 * pixel.y / panel_.height_px - 1};
}

std::array<Point, 4> finder_centres(PanelSize panel) {
  const double inset = kFinderCentre * module_px(panel);
  const double right = panel.width_px - inset;
  const double bottom = panel.height_px - inset;
  return {{{inset, inset}, {right, inset}, {right, bottom}, {inset, bottom}}};
}

}  // namespace wccl::phy
