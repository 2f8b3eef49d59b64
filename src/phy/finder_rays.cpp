#include "phy/finder_rays.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phy/layout.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr double kLeastContrast = 0.12;
constexpr int kLeastSupport = 9;  // Dark tag modules blind up to 5 of 16 rays.
constexpr int kRounds = 4;
constexpr double kSettledModules = 0.01;  // A smaller move needs no further round.

bool is_between(double value, double low, double high) {
  return value >= low && value <= high;
}

bool fits(const std::array<double, 3>& radii) {
  const double unit = radii[2] / (0.5 * kFinderModules);
  return is_between(radii[0], 0.8 * unit, 2.2 * unit) &&
         is_between(radii[1] - radii[0], 0.4 * unit, 1.8 * unit) &&
         is_between(radii[2] - radii[1], 0.4 * unit, 1.8 * unit);
}

constexpr double ray_angle(int ray) {
  return 2 * std::numbers::pi * ray / kFinderRays;
}

/// How many steps of (dx, dy) a point can make within the picture.
int steps_inside(const PlaneView& luma, Point from, double dx, double dy) {
  const auto until = [](double at, double step, double end) {
    return step > 0 ? (end - at) / step : step < 0 ? at / -step : 1e9;
  };
  const double steps = std::min(until(from.x, dx, luma.width), until(from.y, dy, luma.height));
  return static_cast<int>(std::clamp(steps, 0.0, 1e6));
}

/// Sums of a least-squares fit of a shift, from its components along rays.
class ShiftFit {
 public:
  void add(double angle, double along) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    xx_ += c * c;
    xy_ += c * s;
    yy_ += s * s;
    x_ += c * along;
    y_ += s * along;
  }
  [[nodiscard]] std::optional<Point> solve() const {
    const double det = xx_ * yy_ - xy_ * xy_;
    if (det < 0.5) {
      return std::nullopt;
    }
    return Point{(yy_ * x_ - xy_ * y_) / det, (xx_ * y_ - xy_ * x_) / det};
  }

 private:
  double xx_ = 0;
  double xy_ = 0;
  double yy_ = 0;
  double x_ = 0;
  double y_ = 0;
};

}  // namespace

/// The rays of one centre.
struct FinderRays::Fan {
  std::array<std::optional<FinderRay>, kFinderRays> rays;
  int support = 0;
  int cut = 0;  ///< Rays that leave the picture.

  /// Dark rings that leave the picture can't be asked for.
  [[nodiscard]] int least_support() const {
    return std::max(6, (kLeastSupport * (kFinderRays - cut) + kFinderRays / 2) / kFinderRays);
  }

  /// How far the true centre is away. Opposite rays are of equal length in the true one. Where one
  /// of a pair is outside the picture, the other one tells by itself: core and dark ring end at
  /// 1.5 and 3.5 modules.
  [[nodiscard]] std::optional<Point> offset() const {
    ShiftFit fit;
    for (int ray = 0; ray < kFinderRays / 2; ++ray) {
      const auto& ahead = rays[static_cast<std::size_t>(ray)];
      const auto& behind = rays[static_cast<std::size_t>(ray + kFinderRays / 2)];
      if (ahead && behind) {
        for (const std::size_t ring : {0U, 2U}) {
          fit.add(ray_angle(ray), 0.5 * (ahead->radius[ring] - behind->radius[ring]));
        }
      } else if (cut > 0 && (ahead || behind)) {
        const FinderRay& one = ahead ? *ahead : *behind;
        const double along = one.radius[0] - 0.75 * (one.radius[2] - one.radius[0]);
        fit.add(ray_angle(ray), ahead ? along : -along);
      }
    }
    return fit.solve();
  }

  /// Between 0 and 1: how clearly the bright ring stands out all around. Cells that happen to lie
  /// like a finder are of uneven brightness.
  [[nodiscard]] double contrast() const {
    std::array<int, kFinderRays> bright{};
    std::array<int, 2 * kFinderRays> dark{};
    std::size_t n = 0;
    for (const auto& ray : rays) {
      if (!ray) {
        continue;
      }
      bright[n] = ray->value[1];
      dark[2 * n] = ray->value[0];
      dark[2 * n + 1] = ray->value[2];
      ++n;
    }
    const auto bright_end = bright.begin() + static_cast<std::ptrdiff_t>(n);
    const auto dark_end = dark.begin() + static_cast<std::ptrdiff_t>(2 * n);
    std::sort(bright.begin(), bright_end);
    std::sort(dark.begin(), dark_end);
    // One odd ray is forgiven: a speck, or the edge of a tag.
    const double range = std::max(1, bright_end[-1] - dark.front());
    return (bright[1] - dark_end[-3]) / range;
  }

  /// Side of a module from the area within the dark ring's outer edge.
  [[nodiscard]] double module_px() const {
    double sum = 0;
    for (const auto& ray : rays) {
      if (ray) {
        sum += ray->radius[2] * ray->radius[2];
      }
    }
    // The mean squared radius of a square's edge over all angles is 4 / pi of the half side's
    // square.
    return std::sqrt(sum / support * std::numbers::pi / 4) / (0.5 * kFinderModules);
  }
};

FinderRays::Sight FinderRays::cast(Point centre, double angle, double module_px, FinderRay& ray) {
  const double step = std::max(0.5, module_px / 5);
  const double dx = std::cos(angle) * step;
  const double dy = std::sin(angle) * step;
  const auto n = static_cast<int>(8 * module_px / step);
  const int n_inside = std::min(n, steps_inside(luma_, centre, dx, dy));
  const Sight otherwise = n_inside < n ? Sight::kLeavesThePicture : Sight::kDoesNotFit;
  if (n_inside < 4) {
    return otherwise;
  }
  profile_.resize(static_cast<std::size_t>(n_inside));
  for (int i = 0; i < n_inside; ++i) {
    profile_[static_cast<std::size_t>(i)] =
        static_cast<int>(sample_bilinear(luma_, centre.x + dx * i, centre.y + dy * i) + 0.5F);
  }
  const auto value_at = [this](int i) { return profile_[static_cast<std::size_t>(i)]; };
  zigzag_.scan(n_inside, value_at);
  auto extremes = zigzag_.extremes();
  // The first extreme is the core's, unless the core shows a slight hump.
  if (extremes.size() >= 2 && extremes[0].value > extremes[1].value) {
    extremes = extremes.subspan(1);
  }
  if (extremes.size() < 4) {
    return otherwise;
  }
  for (std::size_t ring = 0; ring < 3; ++ring) {
    ray.radius[ring] = crossing(extremes[ring], extremes[ring + 1], value_at) * step;
    ray.value[ring] = extremes[ring].value;
  }
  return fits(ray.radius) ? Sight::kFits : Sight::kDoesNotFit;
}

FinderRays::Fan FinderRays::fan_out(const Finder& from) {
  Fan fan;
  for (int i = 0; i < kFinderRays; ++i) {
    FinderRay ray;
    const Sight sight = cast(from.centre, ray_angle(i), from.module_px, ray);
    if (sight == Sight::kFits) {
      fan.rays[static_cast<std::size_t>(i)] = ray;
      ++fan.support;
    } else if (sight == Sight::kLeavesThePicture) {
      ++fan.cut;
    }
  }
  return fan;
}

std::optional<Finder> FinderRays::confirm(const Finder& guess) {
  // Most candidates fall here, at the price of two rays.
  FinderRay ray;
  for (const double angle : {0.5 * std::numbers::pi, 1.5 * std::numbers::pi}) {
    if (cast(guess.centre, angle, 1.6 * guess.module_px, ray) == Sight::kDoesNotFit) {
      return std::nullopt;
    }
  }
  Finder finder = guess;
  for (int round = 0; round < kRounds; ++round) {
    const Fan fan = fan_out(finder);
    if (fan.support < fan.least_support() - (round == 0 ? 3 : 0) || fan.support < 4) {
      return std::nullopt;
    }
    const auto offset = fan.offset();
    const double contrast = fan.contrast();
    if (contrast < kLeastContrast || !offset) {
      return std::nullopt;
    }
    const double move = std::hypot(offset->x, offset->y);
    if (move > 2.0 * finder.module_px) {
      return std::nullopt;
    }
    finder = {{finder.centre.x + offset->x, finder.centre.y + offset->y},
              fan.module_px(),
              fan.support,
              contrast};
    if (round > 0 && move < kSettledModules * finder.module_px) {
      break;
    }
  }
  return finder;
}

}  // namespace wccl::phy
