#include "phy/partial_screen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "phy/finder_tags.h"
#include "phy/layout.h"
#include "phy/panel_cues.h"
#include "phy/registration.h"

namespace wccl::phy {
namespace {

constexpr std::size_t kMostFinders = 16;
constexpr std::size_t kMostTriples = 6;
constexpr std::size_t kMostLenses = 3;  // Header readings are dear.
// Between finder centres, in square modules: 66 by 66 to 66 by 180.
constexpr double kLeastArea = 3300;
constexpr double kMostArea = 13000;
constexpr double kMostSizeRatio = 2.2;
constexpr double kLeastBar = 0.7;
constexpr double kLeastTagScore = 0.6;  // Three tags agree with chance more often than four.
constexpr std::size_t kMostTurns = 2;
constexpr double kStep = 0.01;  // Of perspective: a quarter of a header cell amid the strip.
constexpr int kSteps = 8;

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

double cross(Point o, Point a, Point b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/// Three finders, clockwise in the capture, the middle one opposite to the hidden one.
using Triple = std::array<Finder, 3>;

std::optional<Triple> order(Triple t) {
  const auto side = [&t](std::size_t i) {
    return distance(t[(i + 1) % 3].centre, t[(i + 2) % 3].centre);
  };
  std::size_t middle = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (side(i) > side(middle)) {
      middle = i;
    }
  }
  std::swap(t[middle], t[1]);
  if (cross(t[0].centre, t[1].centre, t[2].centre) < 0) {
    std::swap(t[0], t[2]);
  }
  const double area = cross(t[0].centre, t[1].centre, t[2].centre);
  const double modules = area / std::pow(t[0].module_px * t[1].module_px * t[2].module_px, 2.0 / 3);
  if (modules < kLeastArea || modules > kMostArea) {
    return std::nullopt;
  }
  const auto [small, large] = std::minmax({t[0].module_px, t[1].module_px, t[2].module_px});
  if (large > kMostSizeRatio * small) {
    return std::nullopt;
  }
  return t;
}

/// How much farther away than the middle finder the first and the last are, less 1: what is left to
/// know of the projection.
struct Perspective {
  double first = 0;
  double last = 0;
};

/// Areas shrink with the third power of the depth.
Perspective perspective_of(const Triple& t) {
  return {std::pow(t[1].module_px / t[0].module_px, 2.0 / 3) - 1,
          std::pow(t[1].module_px / t[2].module_px, 2.0 / 3) - 1};
}

/// A screen with one corner missing, under one of the four orientations.
class PartialScreen {
 public:
  /// @param hidden  Corner of the panel that is not among the finders.
  PartialScreen(const PlaneView& luma, const Triple& finders, std::size_t hidden, double lens_k)
      : luma_(luma), hidden_(hidden), lens_(Lens::of(luma.width, luma.height, lens_k)) {
    for (std::size_t i = 0; i < 3; ++i) {
      seen_[i] = finders[i].centre;
      straight_[i] = lens_.undistort(finders[i].centre);
      module_px_[(hidden + 1 + i) % 4] = finders[i].module_px;
    }
  }

  [[nodiscard]] std::optional<DetectedScreen> read(Perspective guess) const {
    // The strip between two finders in sight lies along one side of the two; only the perspective
    // along that side matters for it.
    double Perspective::* along = hidden_ % 2 == 0 ? &Perspective::last : &Perspective::first;
    const PanelModules size = measure_panel(luma_, unit(guess), lens_, module_px_);
    if (!has_bar(guess, size)) {
      return std::nullopt;
    }
    for (int i = 0; i <= 2 * kSteps; ++i) {
      Perspective perspective = guess;
      perspective.*along += kStep * (i % 2 == 0 ? i / 2 : -(i + 1) / 2);
      const HeaderReading headers = read_headers_with(perspective, size);
      if (headers.any() == nullptr || !is_panel_supported(headers.any()->panel)) {
        continue;
      }
      const Perspective best = refine(*headers.any(), perspective);
      return DetectedScreen{headers, corners(best), lens_.k};
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Point hidden_corner(Perspective p) const {
    const double a = 1 + p.first;
    const double c = 1 + p.last;
    const double w = a + c - 1;
    return {(a * straight_[0].x + c * straight_[2].x - straight_[1].x) / w,
            (a * straight_[0].y + c * straight_[2].y - straight_[1].y) / w};
  }

  [[nodiscard]] Homography unit(Perspective p) const {
    std::array<Point, 4> all{};
    for (std::size_t i = 0; i < 3; ++i) {
      all[(hidden_ + 1 + i) % 4] = straight_[i];
    }
    all[hidden_] = hidden_corner(p);
    return Homography::of_unit_square(all);
  }

  /// In the capture, in corner order.
  [[nodiscard]] std::array<Point, 4> corners(Perspective p) const {
    std::array<Point, 4> all{};
    for (std::size_t i = 0; i < 3; ++i) {
      all[(hidden_ + 1 + i) % 4] = seen_[i];
    }
    all[hidden_] = lens_.distort(hidden_corner(p));
    return all;
  }

  [[nodiscard]] ModuleMap map_of(Perspective p, PanelModules size) const {
    const double width = size.width - 2 * kFinderCentre;
    const double height = size.height - 2 * kFinderCentre;
    return [unit = unit(p), lens = lens_, width, height](Point at) {
      return lens.distort(
          unit.map({(at.x - kFinderCentre) / width, (at.y - kFinderCentre) / height}));
    };
  }

  [[nodiscard]] bool has_bar(Perspective p, PanelModules size) const {
    const int side = hidden_ == 0 || hidden_ == 3 ? 1 : 0;
    const int opposite = static_cast<int>((hidden_ + 2) % 4);
    const SideBar bar = find_side_bar(luma_, map_of(p, size), size, side, opposite);
    return bar.hits > kLeastBar * bar.points;
  }

  [[nodiscard]] HeaderReading read_headers_with(Perspective p, PanelModules size) const {
    const ModuleMap map = map_of(p, size);
    HeaderReading reading;
    if (size.width > 0.9 * size.height) {
      reading = read_headers(luma_, map, size, header_grid({200, 100}), HeaderEffort::kQuick);
    }
    if (reading.any() == nullptr && size.width < 1.1 * size.height) {
      reading = read_headers(luma_, map, size, header_grid({100, 200}), HeaderEffort::kQuick);
    }
    return reading;
  }

  /// Where the border looks most as it should: first across the strip that was read, then in steps
  /// that get smaller.
  [[nodiscard]] Perspective refine(const FrameHeader& header, Perspective start) const {
    const BitVector bits = encode_header(header);
    const auto score = [&](Perspective p) {
      const auto geometry = ScreenGeometry::from_finders(header.panel, corners(p), lens_);
      return geometry ? match_border(luma_, header, bits, *geometry) : -1e30;
    };
    double Perspective::* across = hidden_ % 2 == 0 ? &Perspective::first : &Perspective::last;
    Perspective best = start;
    double best_score = score(best);
    const auto consider = [&](Perspective p) {
      const double s = score(p);
      if (s <= best_score) {
        return;
      }
      best_score = s;
      best = p;
    };
    for (int i = -3 * kSteps; i <= 3 * kSteps; ++i) {
      Perspective p = start;
      p.*across += 0.5 * kStep * i;
      consider(p);
    }
    for (double step = 0.4 * kStep; step > 0.02 * kStep; step /= 2) {
      const Perspective from = best;
      for (int i = 0; i < 9; ++i) {
        consider({from.first + step * (i % 3 - 1), from.last + step * (i / 3 - 1)});
      }
    }
    return best;
  }

  const PlaneView& luma_;
  std::size_t hidden_;
  Lens lens_;
  std::array<Point, 3> seen_{};
  std::array<Point, 3> straight_{};
  std::array<double, 4> module_px_{};  ///< In corner order; 0 for the hidden one.
};

/// The hidden corners of the panel for which the tags of the finders in sight speak.
std::vector<std::size_t> likely_hidden(const PlaneView& luma, const Triple& t) {
  // Without perspective: good enough for the finders' axes.
  const Point hidden{t[0].centre.x + t[2].centre.x - t[1].centre.x,
                     t[0].centre.y + t[2].centre.y - t[1].centre.y};
  std::vector<std::size_t> corners;
  for (const TagMatch& match : match_tags(luma, {hidden, t[0].centre, t[1].centre, t[2].centre},
                                          {0, t[0].module_px, t[1].module_px, t[2].module_px})) {
    if (match.score > kLeastTagScore && corners.size() < kMostTurns) {
      corners.push_back((4 - match.turn) % 4);
    }
  }
  return corners;
}

std::optional<DetectedScreen> confirm(const PlaneView& luma,
                                      const Triple& triple,
                                      std::span<const std::size_t> hidden_corners,
                                      std::span<const double> lens_ks) {
  for (const double lens_k : lens_ks) {
    for (const std::size_t hidden : hidden_corners) {
      auto screen = PartialScreen(luma, triple, hidden, lens_k).read(perspective_of(triple));
      if (screen) {
        return screen;
      }
    }
  }
  return std::nullopt;
}

/// Whether a finder lies on a screen.
bool lies_on(const Finder& finder, const DetectedScreen& screen) {
  for (std::size_t i = 0; i < 4; ++i) {
    const Point& a = screen.finders[i];
    const Point& b = screen.finders[(i + 1) % 4];
    if (cross(a, b, finder.centre) < -finder.module_px * distance(a, b)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<DetectedScreen> detect_partial_screens(const PlaneView& luma,
                                                   std::span<const Finder> finders,
                                                   std::span<const double> lens_ks) {
  std::vector<DetectedScreen> screens;
  const std::size_t n = std::min(finders.size(), kMostFinders);
  const auto is_taken = [&](std::size_t i) {
    return std::any_of(screens.begin(), screens.end(),
                       [&](const auto& screen) { return lies_on(finders[i], screen); });
  };
  const auto likeliest = lens_ks.first(std::min(lens_ks.size(), kMostLenses));
  std::size_t tried = 0;
  // The best finders come first: of triples those whose worst is best.
  for (std::size_t c = 2; c < n; ++c) {
    for (std::size_t b = 1; b < c; ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        const auto triple = order({finders[a], finders[b], finders[c]});
        if (!triple || is_taken(a) || is_taken(b) || is_taken(c)) {
          continue;
        }
        const auto hidden_corners = likely_hidden(luma, *triple);
        if (hidden_corners.empty()) {
          continue;
        }
        if (++tried > kMostTriples) {
          return screens;
        }
        if (auto screen = confirm(luma, *triple, hidden_corners, likeliest)) {
          screens.push_back(std::move(*screen));
        }
      }
    }
  }
  return screens;
}

}  // namespace wccl::phy
