#include "phy/finder_detector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "phy/layout.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr int kLineStep = 2;
constexpr int kDiagonalStep = 3;  // 2.1 pixels between the lines.
constexpr int kLeastHysteresis =
    16;  // Grey levels: above noise in the dark, below the contrast of the smallest ring.
constexpr int kHysteresisShare = 5;  // Of the swing before: bright areas of dim captures are noisy.
constexpr double kLeastModulePx = 1.5;
constexpr double kLeastContrast = 0.12;
constexpr int kLeastSupport = 9;  // Dark tag modules blind up to 5 of 16 rays.
constexpr std::size_t kMostFinders = 96;

struct Extreme {
  int x = 0;
  int value = 0;
};

/// Alternating local maxima and minima that differ by at least kLeastHysteresis, and by a fifth of
/// the swing before: the rings of one finder are of similar contrast, noise on them is not.
class ZigZag {
 public:
  /// @param value_at  Brightness at 0, 1, ..., n - 1.
  template <class ValueAt>
  void scan(int n, ValueAt value_at) {
    extremes_.clear();
    Extreme low{0, value_at(0)};
    Extreme high = low;
    int direction = 0;  // 1: on the way up.
    int hysteresis = kLeastHysteresis;
    for (int x = 1; x < n; ++x) {
      const int value = value_at(x);
      if (value > high.value) {
        high = {x, value};
      }
      if (value < low.value) {
        low = {x, value};
      }
      if (direction >= 0 && value < high.value - hysteresis) {
        push(high, hysteresis);
        direction = -1;
        low = {x, value};
        high = low;
      } else if (direction <= 0 && value > low.value + hysteresis) {
        push(low, hysteresis);
        direction = 1;
        high = {x, value};
        low = high;
      }
      // While falling only the minimum counts, while rising only the maximum.
      if (direction < 0) {
        high = low;
      }
      if (direction > 0) {
        low = high;
      }
    }
    extremes_.push_back(direction > 0 ? high : low);
  }
  [[nodiscard]] std::span<const Extreme> extremes() const { return extremes_; }

 private:
  void push(const Extreme& extreme, int& hysteresis) {
    if (!extremes_.empty()) {
      const int swing = std::abs(extreme.value - extremes_.back().value);
      hysteresis = std::max(kLeastHysteresis, swing / kHysteresisShare);
    }
    extremes_.push_back(extreme);
  }

  std::vector<Extreme> extremes_;
};

/// Where the brightness crosses the middle between two neighbouring extremes, between pixel
/// centres.
template <class ValueAt>
double crossing(const Extreme& a, const Extreme& b, ValueAt value_at) {
  const double middle = 0.5 * (a.value + b.value);
  const bool rising = b.value > a.value;
  for (int x = a.x; x < b.x; ++x) {
    const double here = value_at(x);
    const double next = value_at(x + 1);
    if (rising ? (here <= middle && next > middle) : (here >= middle && next < middle)) {
      return x + (middle - here) / (next - here);
    }
  }
  return 0.5 * (a.x + b.x);
}

/// Whether the bright ones of bright, dark, ..., bright extremes all stand out from the dark ones,
/// and the core, the widest run, is the darkest.
bool has_even_contrast(std::span<const Extreme, 7> at) {
  const int dim = std::min({at[0].value, at[2].value, at[4].value, at[6].value});
  const int bright = std::max({at[0].value, at[2].value, at[4].value, at[6].value});
  const int core = at[3].value;
  const int dark = std::max({at[1].value, core, at[5].value});
  const int range = bright - std::min({at[1].value, core, at[5].value});
  return 4 * (dim - dark) > range && 5 * (core - std::min(at[1].value, at[5].value)) < range;
}

bool is_between(double value, double low, double high) {
  return value >= low && value <= high;
}

/// Whether six crossings, the first into the dark, stand as those of a finder do.
bool looks_like_finder(std::span<const double, 6> at) {
  const double unit = (at[5] - at[0]) / kFinderModules;
  if (unit < kLeastModulePx) {
    return false;
  }
  const double slack = 0.3;  // Blur moves the crossings of thin runs by parts of a pixel.
  for (const std::size_t ring : {0U, 1U, 3U, 4U}) {
    if (!is_between(at[ring + 1] - at[ring], 0.4 * unit - slack, 1.8 * unit + slack)) {
      return false;
    }
  }
  return is_between(at[3] - at[2], 1.7 * unit - slack, 4.3 * unit + slack);
}

struct Candidate {
  Point centre;
  double module_px = 0;
};

/// Along one ray: where core, bright ring and dark ring end, and how bright they are.
struct Ray {
  std::array<double, 3> radius{};
  std::array<int, 3> value{};
};

/// Casts rays from a point that is thought to be in a finder's core.
class RayCaster {
 public:
  explicit RayCaster(const PlaneView& luma) : luma_(luma) {}

  [[nodiscard]] std::optional<Ray> cast(Point centre, double angle, double module_px) {
    const double step = std::max(0.5, module_px / 5);
    const auto n = static_cast<int>(8 * module_px / step);
    const double dx = std::cos(angle) * step;
    const double dy = std::sin(angle) * step;
    profile_.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      profile_[static_cast<std::size_t>(i)] =
          static_cast<int>(sample_bilinear(luma_, centre.x + dx * i, centre.y + dy * i) + 0.5F);
    }
    const auto value_at = [this](int i) { return profile_[static_cast<std::size_t>(i)]; };
    zigzag_.scan(n, value_at);
    auto extremes = zigzag_.extremes();
    // The first extreme is the core's, unless the core shows a slight hump.
    if (extremes.size() >= 2 && extremes[0].value > extremes[1].value) {
      extremes = extremes.subspan(1);
    }
    if (extremes.size() < 4) {
      return std::nullopt;
    }
    Ray ray;
    for (std::size_t ring = 0; ring < 3; ++ring) {
      ray.radius[ring] = crossing(extremes[ring], extremes[ring + 1], value_at) * step;
      ray.value[ring] = extremes[ring].value;
    }
    return fits(ray.radius) ? std::optional(ray) : std::nullopt;
  }

 private:
  static bool fits(const std::array<double, 3>& radii) {
    const double unit = radii[2] / (0.5 * kFinderModules);
    return is_between(radii[0], 0.8 * unit, 2.2 * unit) &&
           is_between(radii[1] - radii[0], 0.4 * unit, 1.8 * unit) &&
           is_between(radii[2] - radii[1], 0.4 * unit, 1.8 * unit);
  }

  const PlaneView& luma_;
  std::vector<int> profile_;
  ZigZag zigzag_;
};

constexpr double ray_angle(int ray) {
  return 2 * std::numbers::pi * ray / kFinderRays;
}

/// Where a finder is, from the rays of one centre: opposite rays are of equal length in the true
/// one.
class RayFan {
 public:
  RayFan(RayCaster& caster, const Candidate& candidate) {
    for (int ray = 0; ray < kFinderRays; ++ray) {
      rays_[static_cast<std::size_t>(ray)] =
          caster.cast(candidate.centre, ray_angle(ray), candidate.module_px);
      if (rays_[static_cast<std::size_t>(ray)]) {
        ++support_;
      }
    }
  }
  [[nodiscard]] int support() const { return support_; }

  /// How far the true centre is away: least squares over the midpoints of opposite rays.
  [[nodiscard]] std::optional<Point> offset() const {
    double xx = 0;
    double xy = 0;
    double yy = 0;
    double x = 0;
    double y = 0;
    for (int ray = 0; ray < kFinderRays / 2; ++ray) {
      const auto& ahead = rays_[static_cast<std::size_t>(ray)];
      const auto& behind = rays_[static_cast<std::size_t>(ray + kFinderRays / 2)];
      if (!ahead || !behind) {
        continue;
      }
      const double c = std::cos(ray_angle(ray));
      const double s = std::sin(ray_angle(ray));
      for (const std::size_t ring : {0U, 2U}) {
        const double middle = 0.5 * (ahead->radius[ring] - behind->radius[ring]);
        xx += c * c;
        xy += c * s;
        yy += s * s;
        x += c * middle;
        y += s * middle;
      }
    }
    const double det = xx * yy - xy * xy;
    if (det < 0.5) {
      return std::nullopt;
    }
    return Point{(yy * x - xy * y) / det, (xx * y - xy * x) / det};
  }

  /// Between 0 and 1: how clearly the bright ring stands out all around. Cells that happen to lie
  /// like a finder are of uneven brightness.
  [[nodiscard]] double contrast() const {
    std::array<int, kFinderRays> bright{};
    std::array<int, 2 * kFinderRays> dark{};
    std::size_t n = 0;
    for (const auto& ray : rays_) {
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
    for (const auto& ray : rays_) {
      if (ray) {
        sum += ray->radius[2] * ray->radius[2];
      }
    }
    // The mean squared radius of a square's edge over all angles is 4 / pi of the half side's
    // square.
    return std::sqrt(sum / support_ * std::numbers::pi / 4) / (0.5 * kFinderModules);
  }

 private:
  std::array<std::optional<Ray>, kFinderRays> rays_;
  int support_ = 0;
};

std::optional<Finder> confirm(RayCaster& caster, Candidate candidate) {
  // Most candidates fall here, at the price of two rays.
  for (const double angle : {0.5 * std::numbers::pi, 1.5 * std::numbers::pi}) {
    if (!caster.cast(candidate.centre, angle, 1.6 * candidate.module_px)) {
      return std::nullopt;
    }
  }
  Finder finder;
  for (int round = 0; round < 4; ++round) {
    const RayFan fan(caster, candidate);
    if (fan.support() < kLeastSupport - (round == 0 ? 3 : 0)) {
      return std::nullopt;
    }
    finder = {candidate.centre, fan.module_px(), fan.support(), fan.contrast()};
    if (finder.contrast < kLeastContrast) {
      return std::nullopt;
    }
    const auto offset = fan.offset();
    if (!offset) {
      return std::nullopt;
    }
    if (std::hypot(offset->x, offset->y) > 2.0 * candidate.module_px) {
      return std::nullopt;
    }
    candidate.centre.x += offset->x;
    candidate.centre.y += offset->y;
    candidate.module_px = finder.module_px;
    finder.centre = candidate.centre;
  }
  return finder;
}

class Scanner {
 public:
  explicit Scanner(const PlaneView& luma) : luma_(luma), caster_(luma) {}

  std::vector<Finder> run(FinderScan scan) {
    if (scan != FinderScan::kDiagonals) {
      scan_rows();
    }
    if (scan != FinderScan::kRows) {
      scan_diagonals();
    }
    std::sort(found_.begin(), found_.end(),
              [](const Finder& a, const Finder& b) { return a.contrast > b.contrast; });
    if (found_.size() > kMostFinders) {
      found_.resize(kMostFinders);
    }
    return std::move(found_);
  }

 private:
  void scan_rows() {
    for (int y = kLineStep / 2; y < luma_.height; y += kLineStep) {
      scan_line(0, y, 0, luma_.width);
    }
  }

  void scan_diagonals() {
    for (int x = kDiagonalStep / 2; x < luma_.width; x += kDiagonalStep) {
      scan_line(x, 0, 1, std::min(luma_.width - x, luma_.height));
    }
    for (int y = kDiagonalStep / 2; y < luma_.height; y += kDiagonalStep) {
      scan_line(0, y, 1, std::min(luma_.width, luma_.height - y));
    }
  }

  /// @param step_y  0 along a row, 1 along a diagonal.
  void scan_line(int x, int y, int step_y, int n) {
    const std::uint8_t* first = luma_.row(y) + x;
    const std::ptrdiff_t pitch = 1 + static_cast<std::ptrdiff_t>(step_y) * luma_.stride;
    const auto value_at = [first, pitch](int i) { return static_cast<int>(first[i * pitch]); };
    zigzag_.scan(n, value_at);
    const auto extremes = zigzag_.extremes();
    if (extremes.size() < 7) {
      return;
    }
    const double length = step_y == 0 ? 1.0 : std::numbers::sqrt2;
    const std::size_t bright = extremes[0].value > extremes[1].value ? 0 : 1;
    for (std::size_t i = bright; i + 7 <= extremes.size(); i += 2) {
      const auto seven = extremes.subspan(i).first<7>();
      if (!has_even_contrast(seven)) {
        continue;
      }
      std::array<double, 6> six{};
      for (std::size_t k = 0; k < six.size(); ++k) {
        six[k] = crossing(seven[k], seven[k + 1], value_at);
      }
      if (!looks_like_finder(six)) {
        continue;
      }
      const double middle = 0.5 * (six[2] + six[3]);
      consider({{x + middle + 0.5, y + middle * step_y + 0.5},
                (six[5] - six[0]) * length / kFinderModules});
    }
  }

  void consider(const Candidate& candidate) {
    for (const Finder& known : found_) {
      const double distance =
          std::hypot(known.centre.x - candidate.centre.x, known.centre.y - candidate.centre.y);
      if (distance < 2.5 * known.module_px) {
        return;
      }
    }
    const auto finder = confirm(caster_, candidate);
    if (!finder) {
      return;
    }
    for (const Finder& known : found_) {
      const double distance =
          std::hypot(known.centre.x - finder->centre.x, known.centre.y - finder->centre.y);
      if (distance < 2.5 * known.module_px) {
        return;
      }
    }
    found_.push_back(*finder);
  }

  const PlaneView& luma_;
  RayCaster caster_;
  ZigZag zigzag_;
  std::vector<Finder> found_;
};

}  // namespace

std::vector<Finder> detect_finders(const PlaneView& luma, FinderScan scan) {
  if (luma.width < 2 * kFinderModules || luma.height < 2 * kFinderModules) {
    return {};
  }
  return Scanner(luma).run(scan);
}

}  // namespace wccl::phy
