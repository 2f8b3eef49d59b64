#include "phy/homography.h"

#include <cassert>
#include <cmath>

#include "phy/least_squares.h"

namespace wccl::phy {
namespace {

using Matrix3 = std::array<double, 9>;

Matrix3 multiply(const Matrix3& a, const Matrix3& b) {
  Matrix3 c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
      }
    }
  }
  return c;
}

Matrix3 adjugate(const Matrix3& m) {
  return {m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
          m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
          m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
}

double determinant(const Matrix3& m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/// Moves the points' centroid to 0 and their mean distance from it to 1.
struct Normalisation {
  double x = 0;
  double y = 0;
  double scale = 1;

  explicit Normalisation(std::span<const Point> points) {
    const auto n = static_cast<double>(points.size());
    for (const Point& p : points) {
      x += p.x / n;
      y += p.y / n;
    }
    double spread = 0;
    for (const Point& p : points) {
      spread += std::hypot(p.x - x, p.y - y) / n;
    }
    if (spread > 0) {
      scale = 1 / spread;
    }
  }
  [[nodiscard]] Point apply(Point p) const { return {(p.x - x) * scale, (p.y - y) * scale}; }
  [[nodiscard]] Matrix3 matrix() const {
    return {scale, 0, -scale * x, 0, scale, -scale * y, 0, 0, 1};
  }
  [[nodiscard]] Matrix3 inverse() const { return {1 / scale, 0, x, 0, 1 / scale, y, 0, 0, 1}; }
};

}  // namespace

std::optional<Homography> Homography::fit(std::span<const Point> from, std::span<const Point> to) {
  assert(from.size() == to.size() && from.size() >= 4);
  const Normalisation source(from);
  const Normalisation target(to);
  LeastSquares equations(8);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Point p = source.apply(from[i]);
    const Point q = target.apply(to[i]);
    equations.add(std::array{p.x, p.y, 1.0, 0.0, 0.0, 0.0, -q.x * p.x, -q.x * p.y}, q.x);
    equations.add(std::array{0.0, 0.0, 0.0, p.x, p.y, 1.0, -q.y * p.x, -q.y * p.y}, q.y);
  }
  const std::vector<double> h = equations.solve();
  if (h.empty()) {
    return std::nullopt;
  }
  const Matrix3 normalised{h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1};
  Homography result;
  result.h_ = multiply(target.inverse(), multiply(normalised, source.matrix()));
  return result;
}

Homography Homography::of_unit_square(std::span<const Point, 4> to) {
  const Point a{to[1].x - to[2].x, to[1].y - to[2].y};
  const Point b{to[3].x - to[2].x, to[3].y - to[2].y};
  const Point s{to[0].x - to[1].x + to[2].x - to[3].x, to[0].y - to[1].y + to[2].y - to[3].y};
  const double det = a.x * b.y - b.x * a.y;
  const double g = (s.x * b.y - b.x * s.y) / det;
  const double h = (a.x * s.y - s.x * a.y) / det;
  Homography result;
  result.h_ = {to[1].x - to[0].x + g * to[1].x,
               to[3].x - to[0].x + h * to[3].x,
               to[0].x,
               to[1].y - to[0].y + g * to[1].y,
               to[3].y - to[0].y + h * to[3].y,
               to[0].y,
               g,
               h,
               1};
  return result;
}

double Homography::area_scale(Point p) const {
  const double w = h_[6] * p.x + h_[7] * p.y + h_[8];
  return determinant(h_) / (w * w * w);
}

std::optional<Homography> Homography::inverse() const {
  const double det = determinant(h_);
  if (!(std::abs(det) > 0)) {
    return std::nullopt;
  }
  Homography result;
  result.h_ = adjugate(h_);
  for (double& entry : result.h_) {
    entry /= det;
  }
  return result;
}

}  // namespace wccl::phy
