#include "phy/finder_tags.h"

#include <algorithm>
#include <cmath>

#include "phy/frame_header.h"
#include "phy/homography.h"
#include "phy/layout.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr std::array<Point, 4> kUnitSquare{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};

using Tag = std::array<double, kTagBits>;

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

/// A finder's own coordinates: modules from its centre, along the panel's edges.
struct FinderAxes {
  Point centre;
  Point across;
  Point down;

  FinderAxes(const Homography& unit, Point corner, double module_px) : centre(unit.map(corner)) {
    const double reach = 1e-3;
    const Point du = unit.map({corner.x + reach, corner.y});
    const Point dv = unit.map({corner.x, corner.y + reach});
    // Only the common scale is taken from the finder.
    const double su = module_px / distance(centre, du);
    const double sv = module_px / distance(centre, dv);
    across = {(du.x - centre.x) * su, (du.y - centre.y) * su};
    down = {(dv.x - centre.x) * sv, (dv.y - centre.y) * sv};
  }
  [[nodiscard]] double value(const PlaneView& luma, Point p) const {
    return static_cast<double>(sample_bilinear(luma, centre.x + p.x * across.x + p.y * down.x,
                                               centre.y + p.x * across.y + p.y * down.y));
  }
};

/// Brightness of a finder's tag modules against its core and ring: positive where dark.
Tag read_tag(const PlaneView& luma, const FinderAxes& axes) {
  constexpr std::array<Point, 4> kTags{{{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}};
  constexpr std::array<Point, 4> kRing{{{0, -2}, {2, 0}, {0, 2}, {-2, 0}}};
  double bright = 0;
  for (const Point& p : kRing) {
    bright += axes.value(luma, p) / 4;
  }
  const double middle = 0.5 * (bright + axes.value(luma, {0, 0}));
  Tag darkness{};
  for (std::size_t bit = 0; bit < kTagBits; ++bit) {
    darkness[bit] = middle - axes.value(luma, kTags[bit]);
  }
  return darkness;
}

/// How well the tags fit to the best node number under a turn.
double score_of(const std::array<Tag, 4>& tags, std::size_t turn) {
  double best = -1e9;
  for (int node = 0; node <= kUnnumberedNode; ++node) {
    double score = 0;
    for (std::size_t corner = 0; corner < 4; ++corner) {
      for (std::size_t bit = 0; bit < kTagBits; ++bit) {
        const double darkness = tags[(corner + turn) % 4][(bit + turn) % kTagBits];
        score += is_tag_dark(node, static_cast<int>(corner), static_cast<int>(bit)) ? darkness
                                                                                    : -darkness;
      }
    }
    best = std::max(best, score);
  }
  return best;
}

}  // namespace

std::array<TagMatch, 4> match_tags(const PlaneView& luma,
                                   const std::array<Point, 4>& centres,
                                   const std::array<double, 4>& module_px) {
  const Homography unit = Homography::of_unit_square(centres);
  std::array<Tag, 4> tags{};
  double most = 1e-9;
  for (std::size_t i = 0; i < 4; ++i) {
    if (module_px[i] <= 0) {
      continue;
    }
    tags[i] = read_tag(luma, FinderAxes(unit, kUnitSquare[i], module_px[i]));
    for (const double darkness : tags[i]) {
      most += std::abs(darkness);
    }
  }
  std::array<TagMatch, 4> matches{};
  for (std::size_t turn = 0; turn < 4; ++turn) {
    matches[turn] = {turn, score_of(tags, turn) / most};
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const TagMatch& a, const TagMatch& b) { return a.score > b.score; });
  return matches;
}

}  // namespace wccl::phy
