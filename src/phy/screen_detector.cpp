#include "phy/screen_detector.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "phy/finder_tags.h"
#include "phy/layout.h"
#include "phy/panel_cues.h"
#include "phy/partial_screen.h"

namespace wccl::phy {
namespace {

// Of a panel, between finder centres, in modules: 66 on the short side but for tiny panels.
constexpr double kLeastSide = 15;
constexpr double kMostSide = 400;
constexpr double kMostSizeRatio = 3.0;  // Nearest to farthest finder of a tilted screen.
constexpr double kMostMisfit =
    1.9;  // Of finder areas against the projection's, extreme to extreme.
constexpr double kLeastBars = 0.67;  // Of the points along both side bars.
constexpr double kLeastTagScore = 0.35;
constexpr std::size_t kMostTurns = 2;
constexpr std::size_t kMostLenses = 3;  // That are read with: the likeliest by their side bars.
constexpr double kRankPenalty = 0.01;
constexpr std::size_t kMostQuads = 12;  // Header readings are dear; the best fits come first.

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
    // Grows with the angle, which is all that sorting needs.
    const auto angle = [&](std::size_t i) {
      const double x = finders_[i].centre.x - middle.x;
      const double y = finders_[i].centre.y - middle.y;
      const double along = x / std::max(std::abs(x) + std::abs(y), 1e-9);
      return y < 0 ? along - 1 : 1 - along;
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

/// A panel between four finders, given in corner order, seen through a lens.
class Candidate {
 public:
  Candidate(const PlaneView& luma, const std::array<Finder, 4>& corners, double lens_k)
      : luma_(&luma), lens_(Lens::of(luma.width, luma.height, lens_k)) {
    std::array<Point, 4> straight{};
    std::array<double, 4> module_px{};
    for (std::size_t i = 0; i < 4; ++i) {
      straight[i] = lens_.undistort(corners[i].centre);
      module_px[i] = corners[i].module_px;
    }
    unit_ = Homography::of_unit_square(straight);
    size_ = measure_panel(luma, unit_, lens_, module_px);
  }

  /// How clearly both side bars stand where they should; nothing if they do not.
  [[nodiscard]] std::optional<double> bar_contrast() const {
    const SideBar left = find_side_bar(*luma_, map(), size_, 0, 0);
    const SideBar right = find_side_bar(*luma_, map(), size_, 1, 0);
    const int points = left.points + right.points;
    if (left.hits + right.hits < kLeastBars * points) {
      return std::nullopt;
    }
    return points == 0 ? 0 : (left.contrast * left.points + right.contrast * right.points) / points;
  }

  [[nodiscard]] HeaderReading read() const {
    // Only the ratio of the sides counts for the grid; where they are about equal, both grids are
    // tried.
    if (size_.width > 0.9 * size_.height) {
      HeaderReading reading = read_headers(*luma_, map(), size_, header_grid({200, 100}));
      if (reading.any() != nullptr || reading.foreign_version) {
        return reading;
      }
    }
    if (size_.width < 1.1 * size_.height) {
      return read_headers(*luma_, map(), size_, header_grid({100, 200}));
    }
    return {};
  }

  [[nodiscard]] double lens_k() const { return lens_.k; }

 private:
  [[nodiscard]] ModuleMap map() const {
    const double width = size_.width - 2 * kFinderCentre;
    const double height = size_.height - 2 * kFinderCentre;
    return [this, width, height](Point p) {
      return lens_.distort(
          unit_.map({(p.x - kFinderCentre) / width, (p.y - kFinderCentre) / height}));
    };
  }

  const PlaneView* luma_;
  Lens lens_;
  Homography unit_;
  PanelModules size_;
};

std::array<Point, 4> outline_of(const std::array<Finder, 4>& corners) {
  std::array<Point, 4> outline{};
  for (std::size_t i = 0; i < 4; ++i) {
    outline[i] = corners[i].centre;
  }
  return outline;
}

/// Reads headers between four finders, given in corner order.
struct Reading {
  std::optional<DetectedScreen> screen;
  bool has_bars = false;  ///< It is a screen, whether or not its header could be read.
  std::optional<std::uint8_t> foreign_version;
};
Reading read_between(const PlaneView& luma,
                     const std::array<Finder, 4>& corners,
                     std::span<const double> lens_ks) {
  struct Likely {
    Candidate candidate;
    double contrast;
  };
  std::vector<Likely> likely;
  int rank = 0;
  for (const double lens_k : lens_ks) {
    const Candidate candidate(luma, corners, lens_k);
    if (const auto contrast = candidate.bar_contrast()) {
      // Small screens look alike through all lenses: then the likeliest one counts.
      likely.push_back({candidate, *contrast - kRankPenalty * rank});
    }
    ++rank;
  }
  std::stable_sort(likely.begin(), likely.end(),
                   [](const Likely& a, const Likely& b) { return a.contrast > b.contrast; });
  for (std::size_t i = 0; i < std::min(kMostLenses, likely.size()); ++i) {
    const HeaderReading headers = likely[i].candidate.read();
    if (headers.any() == nullptr && headers.foreign_version) {
      return {std::nullopt, true, headers.foreign_version};
    }
    if (headers.any() == nullptr || !is_panel_supported(headers.any()->panel)) {
      continue;
    }
    return {DetectedScreen{headers, outline_of(corners), likely[i].candidate.lens_k()}, true, {}};
  }
  return {std::nullopt, !likely.empty(), {}};
}

/// The orientations of a quad for which its tags speak, the likeliest first.
std::vector<std::size_t> likely_turns(const PlaneView& luma, const std::array<Finder, 4>& corners) {
  std::array<Point, 4> centres{};
  std::array<double, 4> module_px{};
  for (std::size_t i = 0; i < 4; ++i) {
    centres[i] = corners[i].centre;
    module_px[i] = corners[i].module_px;
  }
  std::vector<std::size_t> turns;
  for (const TagMatch& match : match_tags(luma, centres, module_px)) {
    if (match.score > kLeastTagScore && turns.size() < kMostTurns) {
      turns.push_back(match.turn);
    }
  }
  return turns;
}

/// Whether a finder lies on a screen that was found: then it is one of its own, or cells that look
/// like one.
bool lies_within(const Finder& finder, const std::array<Point, 4>& corners) {
  for (std::size_t i = 0; i < 4; ++i) {
    const Point& a = corners[i];
    const Point& b = corners[(i + 1) % 4];
    if (cross(a, b, finder.centre) < -finder.module_px * distance(a, b)) {
      return false;
    }
  }
  return true;
}

/// Finds the screens of one capture, one after the other.
class ScreenSearch {
 public:
  ScreenSearch(const PlaneView& luma,
               std::span<const Finder> finders,
               std::span<const double> lens_ks)
      : luma_(luma), lens_ks_(lens_ks), rest_(finders.begin(), finders.end()) {}

  DetectedScreens run() {
    // False finders are mostly the last ones and lie on true screens: with the first few of the
    // list a screen is soon found, and takes them away.
    for (const std::size_t n_first : {8U, 16U, 28U}) {
      const std::size_t n = std::min(n_first, rest_.size());
      const bool is_all = n == rest_.size();
      search_among({rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(n)});
      if (rest_.size() < 4 || is_all) {
        break;
      }
    }
    // With all four corners in sight it is no partial screen: two frames may be mixed in it.
    for (const auto& outline : unread_) {
      std::erase_if(rest_, [&](const Finder& finder) { return lies_within(finder, outline); });
    }
    for (auto& screen : detect_partial_screens(luma_, rest_, lens_ks_)) {
      screens_.push_back(std::move(screen));
    }
    return {std::move(screens_), std::move(foreign_versions_)};
  }

 private:
  void search_among(const std::vector<Finder>& first) {
    std::vector<bool> taken(first.size());
    std::size_t tried = 0;
    for (const Quad& quad : QuadSearch(first).run()) {
      const auto is_taken = [&](std::size_t i) { return static_cast<bool>(taken[i]); };
      if (std::any_of(quad.finders.begin(), quad.finders.end(), is_taken)) {
        continue;
      }
      std::array<Finder, 4> corners;
      for (std::size_t i = 0; i < 4; ++i) {
        corners[i] = first[quad.finders[i]];
      }
      const auto turns = likely_turns(luma_, corners);
      if (turns.empty()) {
        continue;
      }
      if (++tried > kMostQuads) {
        return;
      }
      if (read_turned(corners, turns)) {
        for (std::size_t i = 0; i < first.size(); ++i) {
          taken[i] = taken[i] || lies_within(first[i], screens_.back().finders);
        }
      }
    }
  }

  /// @return whether there is one screen more.
  bool read_turned(const std::array<Finder, 4>& corners, std::span<const std::size_t> turns) {
    for (const std::size_t turn : turns) {
      std::array<Finder, 4> turned = corners;
      std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(turn), turned.end());
      const Reading reading = read_between(luma_, turned, lens_ks_);
      if (reading.screen) {
        const auto& outline = reading.screen->finders;
        std::erase_if(rest_, [&](const Finder& finder) { return lies_within(finder, outline); });
        screens_.push_back(*reading.screen);
        return true;
      }
      if (reading.foreign_version) {
        foreign_versions_.push_back(*reading.foreign_version);
      }
      if (reading.has_bars) {
        unread_.push_back(outline_of(turned));
        return false;
      }
    }
    return false;
  }

  const PlaneView& luma_;
  std::span<const double> lens_ks_;
  std::vector<Finder> rest_;
  std::vector<DetectedScreen> screens_;
  std::vector<std::uint8_t> foreign_versions_;
  std::vector<std::array<Point, 4>> unread_;  ///< Surely screens, but their headers can't be read.
};

}  // namespace

DetectedScreens detect_screens(const PlaneView& luma,
                               std::span<const Finder> finders,
                               std::span<const double> lens_ks) {
  return ScreenSearch(luma, finders, lens_ks).run();
}

}  // namespace wccl::phy
