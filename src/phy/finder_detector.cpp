#include "phy/finder_detector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "phy/finder_rays.h"
#include "phy/layout.h"
#include "phy/zigzag.h"

namespace wccl::phy {
namespace {

constexpr int kLineStep = 2;
constexpr int kDiagonalStep = 3;  // 2.1 pixels between the lines.
constexpr double kLeastModulePx = 1.5;
constexpr double kMostModulePx = 5;  // At full size: larger ones are found at half of it.
constexpr double kLeastForThresholdPx = 2.5;
constexpr std::size_t kMostFinders = 96;
// Larger pictures are searched as if they were halved: modules of 1.8 pixels of theirs would be
// screens of a twentieth of the width.
constexpr int kMostWidth = 2600;

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
  const double slack = 0.3;  // Blur moves the crossings of thin runs by parts of a pixel.
  for (const std::size_t ring : {0U, 1U, 3U, 4U}) {
    if (!is_between(at[ring + 1] - at[ring], 0.4 * unit - slack, 1.8 * unit + slack)) {
      return false;
    }
  }
  return is_between(at[3] - at[2], 1.7 * unit - slack, 4.3 * unit + slack);
}

/// Whether something is nearer to one of the finders than two can be.
bool is_known(const std::vector<Finder>& finders, Point centre) {
  return std::any_of(finders.begin(), finders.end(), [centre](const Finder& known) {
    return std::hypot(known.centre.x - centre.x, known.centre.y - centre.y) < 2.5 * known.module_px;
  });
}

/// Whether a point is on one of the screens.
bool is_covered(std::span<const ScreenOutline> known, Point p) {
  return std::any_of(known.begin(), known.end(), [p](const ScreenOutline& corners) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Point& a = corners[i];
      const Point& b = corners[(i + 1) % 4];
      if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) < 0) {
        return false;
      }
    }
    return true;
  });
}

/// Walks from a core straight up (step -1) or down: core, bright ring and dark ring must follow
/// each other in about the right widths, divided by a threshold. Cells that look like a finder
/// along one line fall here, at the price of a few pixels.
bool has_rings(const PlaneView& luma, const Finder& candidate, int threshold, int step) {
  const int x = std::clamp(static_cast<int>(candidate.centre.x), 0, luma.width - 1);
  int y = std::clamp(static_cast<int>(candidate.centre.y), 0, luma.height - 1);
  const double slack = 1.5;
  // Rings of hardly two pixels are blurred too much for one threshold.
  if (candidate.module_px < kLeastForThresholdPx) {
    return true;
  }
  // The core from anywhere in it; the rings as wide as a turn by 45 degrees makes them, and more.
  constexpr std::array<double, 3> kLeast{0.0, 0.4, 0.4};
  constexpr std::array<double, 3> kMost{3.6, 3.0, 3.0};
  for (std::size_t run = 0; run < 3; ++run) {
    const bool is_dark = run != 1;
    int length = 0;
    while (y >= 0 && y < luma.height && (luma.row(y)[x] < threshold) == is_dark) {
      y += step;
      ++length;
      if (length > kMost[run] * candidate.module_px + slack) {
        return false;
      }
    }
    if (y < 0 || y >= luma.height) {
      return true;  // Cut by the picture's edge.
    }
    if (length < kLeast[run] * candidate.module_px - slack) {
      return false;
    }
  }
  return true;
}

void best_first(std::vector<Finder>& finders) {
  std::stable_sort(finders.begin(), finders.end(),
                   [](const Finder& a, const Finder& b) { return a.contrast > b.contrast; });
  if (finders.size() > kMostFinders) {
    finders.resize(kMostFinders);
  }
}

class Scanner {
 public:
  /// @param most_module_px  Larger ones are left to a coarser picture.
  Scanner(const PlaneView& luma, double most_module_px, std::span<const ScreenOutline> known)
      : luma_(luma), most_module_px_(most_module_px), known_(known), rays_(luma) {}

  std::vector<Finder> run(FinderScan scan) {
    if (scan != FinderScan::kDiagonals) {
      scan_rows();
    }
    if (scan != FinderScan::kRows) {
      scan_diagonals();
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
      // Between the middles of the dark rings' sides lie six modules, more or less.
      const int across = seven[5].x - seven[1].x;
      if (across > 9 * most_module_px_ || across < 4 * kLeastModulePx ||
          !has_even_contrast(seven)) {
        continue;
      }
      std::array<double, 6> six{};
      for (std::size_t k = 0; k < six.size(); ++k) {
        six[k] = crossing(seven[k], seven[k + 1], value_at);
      }
      const double module_px = (six[5] - six[0]) * length / kFinderModules;
      if (module_px < kLeastModulePx * length || module_px > most_module_px_ * length ||
          !looks_like_finder(six)) {
        continue;
      }
      const double middle = 0.5 * (six[2] + six[3]);
      const Finder candidate{{x + middle + 0.5, y + middle * step_y + 0.5}, module_px};
      const int threshold = (std::min(seven[2].value, seven[4].value) +
                             std::max({seven[1].value, seven[3].value, seven[5].value})) /
                            2;
      if (has_rings(luma_, candidate, threshold, -1) && has_rings(luma_, candidate, threshold, 1)) {
        consider(candidate);
      }
    }
  }

  void consider(const Finder& candidate) {
    if (is_covered(known_, candidate.centre) || is_known(found_, candidate.centre)) {
      return;
    }
    const auto finder = rays_.confirm(candidate);
    if (finder && !is_known(found_, finder->centre)) {
      found_.push_back(*finder);
    }
  }

  const PlaneView& luma_;
  double most_module_px_;
  std::span<const ScreenOutline> known_;
  FinderRays rays_;
  ZigZag zigzag_;
  std::vector<Finder> found_;
};

/// Half of a picture each way: less noise, and a quarter of the work.
struct HalfPicture {
  explicit HalfPicture(const PlaneView& full)
      : width(full.width / 2),
        height(full.height / 2),
        pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
    std::uint8_t* out = pixels.data();
    for (int y = 0; y < height; ++y) {
      const std::uint8_t* upper = full.row(2 * y);
      const std::uint8_t* lower = full.row(2 * y + 1);
      for (int x = 0; x < width; ++x) {
        out[x] = static_cast<std::uint8_t>(
            (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1] + 2) >> 2);
      }
      out += width;
    }
  }
  [[nodiscard]] PlaneView view() const { return {pixels.data(), width, height, width}; }

  int width;
  int height;
  std::vector<std::uint8_t> pixels;
};

Finder doubled(Finder finder) {
  finder.centre.x *= 2;
  finder.centre.y *= 2;
  finder.module_px *= 2;
  return finder;
}

std::vector<ScreenOutline> halve(std::span<const ScreenOutline> outlines) {
  std::vector<ScreenOutline> halved(outlines.begin(), outlines.end());
  for (ScreenOutline& outline : halved) {
    for (Point& corner : outline) {
      corner = {0.5 * corner.x, 0.5 * corner.y};
    }
  }
  return halved;
}

/// The search works on pictures of up to kMostWidth; a larger one is halved first.
template <class Search>
std::vector<Finder> search_scaled(const PlaneView& luma,
                                  std::span<const ScreenOutline> known,
                                  Search search) {
  if (luma.width < 4 * kFinderModules || luma.height < 4 * kFinderModules) {
    return {};
  }
  std::vector<Finder> found;
  if (luma.width > kMostWidth) {
    const HalfPicture half(luma);
    const auto halved = halve(known);
    found = search_scaled(half.view(), halved, search);
    std::transform(found.begin(), found.end(), found.begin(), doubled);
    return found;
  }
  found = search(luma, known);
  best_first(found);
  return found;
}

}  // namespace

std::vector<Finder> detect_large_finders(const PlaneView& luma,
                                         std::span<const ScreenOutline> known) {
  return search_scaled(luma, known, [](const PlaneView& full, auto outlines) {
    const HalfPicture half(full);
    const PlaneView view = half.view();
    const auto halved = halve(outlines);
    std::vector<Finder> found = Scanner(view, view.width, halved).run(FinderScan::kBoth);
    FinderRays rays(full);
    for (Finder& finder : found) {
      finder = doubled(finder);
      // Where noise or blur hides the rings from the full picture, half of it was good enough.
      if (const auto finer = rays.confirm(finder)) {
        finder = *finer;
      }
    }
    return found;
  });
}

std::vector<Finder> detect_small_finders(const PlaneView& luma,
                                         FinderScan scan,
                                         std::span<const ScreenOutline> known) {
  return search_scaled(luma, known, [scan](const PlaneView& full, auto outlines) {
    return Scanner(full, kMostModulePx, outlines).run(scan);
  });
}

std::vector<Finder> detect_finders(const PlaneView& luma, FinderScan scan) {
  std::vector<Finder> found = detect_large_finders(luma);
  add_finders(found, detect_small_finders(luma, scan));
  return found;
}

void add_finders(std::vector<Finder>& finders, std::span<const Finder> others) {
  for (const Finder& other : others) {
    if (!is_known(finders, other.centre)) {
      finders.push_back(other);
    }
  }
  best_first(finders);
}

}  // namespace wccl::phy
