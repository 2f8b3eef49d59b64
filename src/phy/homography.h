#pragma once

#include <array>
#include <optional>
#include <span>

#include "base/image.h"

namespace wccl::phy {

/// A projective map of the plane: how a flat panel appears to a pinhole camera.
class Homography {
 public:
  Homography() = default;

  /// Least-squares fit by the normalised direct linear transform (Hartley and Zisserman, Multiple
  /// View Geometry, algorithm 4.2), with the last entry fixed to 1 after normalisation.
  /// @param from, to  At least four pairs, no three of them on a line.
  [[nodiscard]] static std::optional<Homography> fit(std::span<const Point> from,
                                                     std::span<const Point> to);

  /// The exact map of the square (0, 0), (1, 0), (1, 1), (0, 1) onto four points (Heckbert,
  /// Fundamentals of Texture Mapping and Image Warping, 1989): no equations to solve.
  /// @param to  In the square's order; no three of them on a line.
  [[nodiscard]] static Homography of_unit_square(std::span<const Point, 4> to);

  [[nodiscard]] Point map(Point p) const {
    const double w = 1 / (h_[6] * p.x + h_[7] * p.y + h_[8]);
    return {(h_[0] * p.x + h_[1] * p.y + h_[2]) * w, (h_[3] * p.x + h_[4] * p.y + h_[5]) * w};
  }
  /// How much an area around a point grows; negative when the map mirrors.
  [[nodiscard]] double area_scale(Point point) const;
  [[nodiscard]] std::optional<Homography> inverse() const;

 private:
  std::array<double, 9> h_{1, 0, 0, 0, 1, 0, 0, 0, 1};
};

}  // namespace wccl::phy
