#include "phy/panel_cues.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "phy/layout.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr std::array<Point, 4> kUnitSquare{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};

bool is_inside(const PlaneView& luma, Point p) {
  return p.x > 0 && p.y > 0 && p.x < luma.width && p.y < luma.height;
}

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

/// Distance from a finder's centre to its dark ring's outer edge in one direction of the panel, in
/// fractions of the distance between the finders: the steepest rise from dark to bright. Nothing if
/// the picture ends before it.
template <class Map>
std::optional<double> outer_edge(
    const PlaneView& luma, const Map& map, Point centre, Point direction, double guess) {
  constexpr int kSteps = 40;
  double best = guess;
  float steepest = -1e9F;
  std::array<float, kSteps> values{};
  const auto reach = [&](int i) { return guess * (0.78 + 0.44 * i / (kSteps - 1)); };
  const double end = reach(kSteps - 1);
  if (!is_inside(luma, map({centre.x + direction.x * end, centre.y + direction.y * end}))) {
    return std::nullopt;
  }
  for (int i = 0; i < kSteps; ++i) {
    const double r = reach(i);
    const Point p = map({centre.x + direction.x * r, centre.y + direction.y * r});
    values[static_cast<std::size_t>(i)] = sample_bilinear(luma, p.x, p.y);
  }
  constexpr int kSpan = 6;
  for (int i = 0; i + kSpan < kSteps; ++i) {
    const float rise =
        values[static_cast<std::size_t>(i + kSpan)] - values[static_cast<std::size_t>(i)];
    if (rise > steepest) {
      steepest = rise;
      best = 0.5 * (reach(i) + reach(i + kSpan));
    }
  }
  return best;
}

/// Of both sides, or of the one that is in the picture.
double mean_edge(std::optional<double> one, std::optional<double> other, double guess) {
  if (one && other) {
    return 0.5 * (*one + *other);
  }
  return one ? *one : other.value_or(guess);
}

}  // namespace

PanelModules measure_panel(const PlaneView& luma,
                           const Homography& projection,
                           const Lens& lens,
                           const std::array<double, 4>& module_px) {
  const auto map = [&](Point p) { return lens.distort(projection.map(p)); };
  double width = 0;
  double height = 0;
  int n = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (module_px[i] <= 0) {
      continue;
    }
    const Point c = kUnitSquare[i];
    const Point p = map(c);
    const double du = distance(p, map({c.x + 1e-3, c.y})) / 1e-3;
    const double dv = distance(p, map({c.x, c.y + 1e-3})) / 1e-3;
    const double guess_u = 0.5 * kFinderModules * module_px[i] / du;
    const double guess_v = 0.5 * kFinderModules * module_px[i] / dv;
    const double edge_u = mean_edge(outer_edge(luma, map, c, {1, 0}, guess_u),
                                    outer_edge(luma, map, c, {-1, 0}, guess_u), guess_u);
    const double edge_v = mean_edge(outer_edge(luma, map, c, {0, 1}, guess_v),
                                    outer_edge(luma, map, c, {0, -1}, guess_v), guess_v);
    width += 0.5 * kFinderModules / edge_u;
    height += 0.5 * kFinderModules / edge_v;
    ++n;
  }
  return {width / n + 2 * kFinderCentre, height / n + 2 * kFinderCentre};
}

SideBar find_side_bar(
    const PlaneView& luma, const ModuleMap& map, PanelModules size, int side, int corner) {
  constexpr int kPoints = 24;
  const auto value = [&](double x, double y) {
    const Point p = map({x, y});
    return sample_bilinear(luma, p.x, p.y);
  };
  const bool is_right = corner == 1 || corner == 2;
  const bool is_lower = corner >= 2;
  const double core_x = is_right ? size.width - kFinderCentre : kFinderCentre;
  const double core_y = is_lower ? size.height - kFinderCentre : kFinderCentre;
  const float core = value(core_x, core_y);
  const float ring = value(core_x, core_y + (is_lower ? -2 : 2));
  const float least = 0.2F * (ring - core);
  const double border = side == 0 ? 0.5 : size.width - 0.5;
  const double column = side == 0 ? 1.5 : size.width - 1.5;
  SideBar bar;
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double y = kCornerModules + (size.height - 2 * kCornerModules) * (i + 0.5) / kPoints;
    if (!is_inside(luma, map({border, y}))) {
      continue;
    }
    const float difference = value(border, y) - value(column, y);
    sum += static_cast<double>(difference);
    ++bar.points;
    bar.hits += difference > least ? 1 : 0;
  }
  bar.contrast = sum / std::max(1, bar.points) / std::max(1.0, static_cast<double>(ring - core));
  return bar;
}

}  // namespace wccl::phy
