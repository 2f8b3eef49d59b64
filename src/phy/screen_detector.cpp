#include "phy/screen_detector.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "phy/layout.h"
#include "phy/panel_cues.h"
#include "phy/partial_screen.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

// Of a panel, between finder centres, in modules: 66 on the short side but for tiny panels.
constexpr double kLeastSide = 15;
constexpr double kMostSide = 400;
constexpr double kMostSizeRatio = 3.0;  // Nearest to farthest finder of a tilted screen.
constexpr double kMostMisfit =
    1.9;  // Of finder areas against the projection's, extreme to extreme.
constexpr double kLeastBars = 1.34;     // Of the points along both side bars.
constexpr std::size_t kMostQuads = 60;  // Header readings are dear; the best fits come first.

/// Four finders, clockwise in the capture, that could be one screen.
struct Quad {
  std::array<std::size_t, 4> finders{};
  double misfit = 0;
};

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

double cross(Point o, Point a, Point b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

constexpr std::array<Point, 4> kUnitSquare{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};

class QuadSearch {
 public:
  explicit QuadSearch(std::span<const Finder> finders) : finders_(finders) {}

  std::vector<Quad> run() {
    const std::size_t n = finders_.size();
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b) {
        if (!can_share_screen(a, b)) {
          continue;
        }
        for (std::size_t c = b + 1; c < n; ++c) {
          if (!can_share_screen(a, c) || !can_share_screen(b, c)) {
            continue;
          }
          for (std::size_t d = c + 1; d < n; ++d) {
            if (can_share_screen(a, d) && can_share_screen(b, d) && can_share_screen(c, d)) {
              consider({a, b, c, d});
            }
          }
        }
      }
    }
    std::sort(quads_.begin(), quads_.end(),
              [](const Quad& p, const Quad& q) { return p.misfit < q.misfit; });
    return std::move(quads_);
  }

 private:
  [[nodiscard]] bool can_share_screen(std::size_t a, std::size_t b) const {
    const Finder& p = finders_[a];
    const Finder& q = finders_[b];
    const double ratio = p.module_px / q.module_px;
    if (ratio > kMostSizeRatio || ratio < 1 / kMostSizeRatio) {
      return false;
    }
    const double modules = distance(p.centre, q.centre) / std::sqrt(p.module_px * q.module_px);
    return modules > kLeastSide && modules < kMostSide;
  }

  void consider(std::array<std::size_t, 4> members) {
    Point middle;
    for (const std::size_t i : members) {
      middle.x += finders_[i].centre.x / 4;
      middle.y += finders_[i].centre.y / 4;
    }
    const auto angle = [&](std::size_t i) {
      return std::atan2(finders_[i].centre.y - middle.y, finders_[i].centre.x - middle.x);
    };
    std::sort(members.begin(), members.end(),
              [&](std::size_t i, std::size_t j) { return angle(i) < angle(j); });
    std::array<Point, 4> corners{};
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = finders_[members[i]].centre;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      if (cross(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]) <= 0) {
        return;
      }
    }
    const Homography projection = Homography::of_unit_square(corners);
    double least = 1e30;
    double most = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double module_px = finders_[members[i]].module_px;
      const double modules = projection.area_scale(kUnitSquare[i]) / (module_px * module_px);
      least = std::min(least, modules);
      most = std::max(most, modules);
    }
    if (!(least > kLeastSide * kLeastSide)) {
      return;
    }
    const double misfit = most / least;
    if (misfit < kMostMisfit) {
      quads_.push_back({members, misfit});
    }
  }

  std::span<const Finder> finders_;
  std::vector<Quad> quads_;
};

/// Reads headers between four finders, given in corner order.
HeaderReading read_between(const PlaneView& luma,
                           const std::array<Finder, 4>& corners,
                           double lens_k) {
  const Lens lens = Lens::of(luma.width, luma.height, lens_k);
  std::array<Point, 4> straight{};
  std::array<double, 4> module_px{};
  for (std::size_t i = 0; i < 4; ++i) {
    straight[i] = lens.undistort(corners[i].centre);
    module_px[i] = corners[i].module_px;
  }
  const Homography unit = Homography::of_unit_square(straight);
  const PanelModules size = measure_panel(luma, unit, lens, module_px);
  const double width = size.width - 2 * kFinderCentre;
  const double height = size.height - 2 * kFinderCentre;
  const ModuleMap map = [&](Point p) {
    return lens.distort(unit.map({(p.x - kFinderCentre) / width, (p.y - kFinderCentre) / height}));
  };
  if (side_bar_share(luma, map, size, 0, 0) + side_bar_share(luma, map, size, 1, 0) < kLeastBars) {
    return {};
  }
  // Only the ratio of the sides counts for the grid; where they are about equal, both grids are
  // tried.
  const HeaderGrid wide = header_grid({200, 100});
  const HeaderGrid tall = header_grid({100, 200});
  if (size.width > 0.9 * size.height) {
    HeaderReading reading = read_headers(luma, map, size, wide);
    if (reading.any() != nullptr) {
      return reading;
    }
  }
  if (size.width < 1.1 * size.height) {
    return read_headers(luma, map, size, tall);
  }
  return {};
}

/// Brightness of a finder's tag modules against its core and ring: positive where dark.
std::array<float, kTagBits> read_tag(const PlaneView& luma, const Homography& local) {
  constexpr std::array<Point, 4> kTags{{{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}};
  constexpr std::array<Point, 4> kRing{{{0, -2}, {2, 0}, {0, 2}, {-2, 0}}};
  const auto value = [&](Point p) {
    const Point q = local.map(p);
    return sample_bilinear(luma, q.x, q.y);
  };
  float bright = 0;
  for (const Point& p : kRing) {
    bright += value(p) / 4;
  }
  const float middle = 0.5F * (bright + value({0, 0}));
  std::array<float, kTagBits> darkness{};
  for (std::size_t bit = 0; bit < kTagBits; ++bit) {
    darkness[bit] = middle - value(kTags[bit]);
  }
  return darkness;
}

/// How well the tags fit to the best node number if corner `turn` of the quad is the panel's top
/// left.
float tag_score(const std::array<std::array<float, kTagBits>, 4>& tags, std::size_t turn) {
  float best = 0;
  for (int node = 0; node < kMaxNodes; ++node) {
    float score = 0;
    for (std::size_t corner = 0; corner < 4; ++corner) {
      for (std::size_t bit = 0; bit < kTagBits; ++bit) {
        const float darkness = tags[(corner + turn) % 4][(bit + turn) % kTagBits];
        score += is_tag_dark(node, static_cast<int>(corner), static_cast<int>(bit)) ? darkness
                                                                                    : -darkness;
      }
    }
    best = std::max(best, score);
  }
  return best;
}

/// The four orientations, the one that the tags speak for first.
std::array<std::size_t, 4> order_turns(const PlaneView& luma,
                                       const std::array<Finder, 4>& corners) {
  std::array<std::array<float, kTagBits>, 4> tags{};
  std::array<Point, 4> centres{};
  for (std::size_t i = 0; i < 4; ++i) {
    centres[i] = corners[i].centre;
  }
  const Homography unit = Homography::of_unit_square(centres);
  for (std::size_t i = 0; i < 4; ++i) {
    const Point c = kUnitSquare[i];
    const Point p = unit.map(c);
    const double reach = 1e-3;
    const Point du = unit.map({c.x + reach, c.y});
    const Point dv = unit.map({c.x, c.y + reach});
    // A module's sides run along the panel's edges; only their common scale is taken from the
    // finder.
    const double su = corners[i].module_px / distance(p, du);
    const double sv = corners[i].module_px / distance(p, dv);
    const Point a{(du.x - p.x) * su, (du.y - p.y) * su};
    const Point b{(dv.x - p.x) * sv, (dv.y - p.y) * sv};
    const std::array<Point, 4> from{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
    std::array<Point, 4> to{};
    for (std::size_t k = 0; k < 4; ++k) {
      to[k] = {p.x + from[k].x * a.x + from[k].y * b.x, p.y + from[k].x * a.y + from[k].y * b.y};
    }
    tags[i] = read_tag(luma, *Homography::fit(from, to));
  }
  std::array<std::size_t, 4> turns{0, 1, 2, 3};
  std::array<float, 4> scores{};
  for (std::size_t turn = 0; turn < 4; ++turn) {
    scores[turn] = tag_score(tags, turn);
  }
  std::stable_sort(turns.begin(), turns.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return turns;
}

std::optional<DetectedScreen> confirm(const PlaneView& luma,
                                      std::span<const Finder> finders,
                                      const Quad& quad,
                                      std::span<const double> lens_ks) {
  std::array<Finder, 4> corners;
  for (std::size_t i = 0; i < 4; ++i) {
    corners[i] = finders[quad.finders[i]];
  }
  const auto turns = order_turns(luma, corners);
  for (const double lens_k : lens_ks) {
    for (const std::size_t turn : turns) {
      std::array<Finder, 4> turned = corners;
      std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(turn), turned.end());
      const HeaderReading headers = read_between(luma, turned, lens_k);
      if (headers.any() == nullptr || !is_panel_supported(headers.any()->panel)) {
        continue;
      }
      DetectedScreen screen{headers, {}, lens_k};
      for (std::size_t i = 0; i < 4; ++i) {
        screen.finders[i] = turned[i].centre;
      }
      return screen;
    }
  }
  return std::nullopt;
}

/// Whether a finder lies on a screen that was found: then it is one of its own, or cells that look
/// like one.
bool lies_on(const Finder& finder, const DetectedScreen& screen) {
  const auto& corners = screen.finders;
  for (std::size_t i = 0; i < 4; ++i) {
    const Point& a = corners[i];
    const Point& b = corners[(i + 1) % 4];
    if (cross(a, b, finder.centre) < -finder.module_px * distance(a, b)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<DetectedScreen> detect_screens(const PlaneView& luma,
                                           std::span<const Finder> finders,
                                           std::span<const double> lens_ks) {
  std::vector<DetectedScreen> screens;
  std::vector<Finder> rest(finders.begin(), finders.end());
  // False finders are mostly the last ones and lie on true screens: with the first few of the list
  // a screen is soon found, and takes them away.
  for (const std::size_t n_first : {8U, 16U, 40U}) {
    std::vector<Finder> first(
        rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(std::min(n_first, rest.size())));
    std::vector<bool> taken(first.size());
    std::size_t tried = 0;
    for (const Quad& quad : QuadSearch(first).run()) {
      const auto is_taken = [&](std::size_t i) { return static_cast<bool>(taken[i]); };
      if (std::any_of(quad.finders.begin(), quad.finders.end(), is_taken)) {
        continue;
      }
      if (++tried > kMostQuads) {
        break;
      }
      const auto screen = confirm(luma, first, quad, lens_ks);
      if (!screen) {
        continue;
      }
      for (std::size_t i = 0; i < first.size(); ++i) {
        taken[i] = taken[i] || lies_on(first[i], *screen);
      }
      std::erase_if(rest, [&](const Finder& finder) { return lies_on(finder, *screen); });
      screens.push_back(*screen);
    }
    if (rest.size() < 4 || first.size() == finders.size()) {
      break;
    }
  }
  for (auto& screen : detect_partial_screens(luma, rest, lens_ks)) {
    screens.push_back(std::move(screen));
  }
  return screens;
}

}  // namespace wccl::phy
