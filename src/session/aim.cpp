#include "session/aim.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "link/identity_words.h"
#include "link/view_model.h"
#include "phy/transmitter.h"

namespace wccl::session {
namespace {

// Below, cells of the ladder's usual modes come to fewer than 1.5 camera pixels.
constexpr double kSmallShare = 0.25;
// Corners nearer than this to the picture's edge, in its widths, leave with the first nudge.
constexpr double kEdge = 0.02;
constexpr double kFarAside = 0.25;
// Foreshortening: far edge over near edge.
constexpr double kTurned = 0.75;
constexpr double kBurntOut = 250;
constexpr double kDim = 90;
constexpr double kBlurredDb = 8;
// At this hold most captures show one frame cleanly.
constexpr double kUsualHold = 3;
constexpr double kUsualRefreshHz = 60;
// What a mode should have to spare before it is promised.
constexpr double kSpareDb = 1;

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

Point centre_of(const std::array<Point, 4>& corners) {
  Point sum;
  for (const Point& corner : corners) {
    sum.x += corner.x / 4;
    sum.y += corner.y / 4;
  }
  return sum;
}

/// The panel's point at (u, v) of its sides, near enough for a look at brightness.
Point inside(const std::array<Point, 4>& corners, double u, double v) {
  const auto mix = [](Point a, Point b, double t) {
    return Point{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
  };
  return mix(mix(corners[0], corners[1], u), mix(corners[3], corners[2], u), v);
}

/// Where the darkest cells are far brighter than elsewhere: light that is not the panel's own.
std::optional<std::string> find_glare(const phy::ScreenReception& screen, const PlaneView& luma) {
  constexpr int kTiles = 6;
  constexpr int kSamples = 12;
  std::array<std::array<int, kTiles>, kTiles> darkest{};
  std::vector<int> all;
  for (int row = 0; row < kTiles; ++row) {
    for (int column = 0; column < kTiles; ++column) {
      std::vector<int> samples;
      for (int i = 0; i < kSamples * kSamples; ++i) {
        const double u = (column + (i % kSamples + 0.5) / kSamples) / kTiles;
        const double v = (row + (i / kSamples + 0.5) / kSamples) / kTiles;
        const Point at = inside(screen.corners, 0.08 + 0.84 * u, 0.12 + 0.76 * v);
        const int x = static_cast<int>(at.x);
        const int y = static_cast<int>(at.y);
        if (x >= 0 && y >= 0 && x < luma.width && y < luma.height) {
          samples.push_back(luma.row(y)[x]);
        }
      }
      if (samples.empty()) {
        continue;
      }
      const auto tenth = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 10);
      std::nth_element(samples.begin(), tenth, samples.end());
      auto& tile = darkest[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      tile = *tenth;
      all.push_back(tile);
    }
  }
  if (all.size() < kTiles) {
    return std::nullopt;
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  constexpr int kStandsOut = 60;
  int worst = *middle + kStandsOut;
  std::optional<std::string> place;
  for (int row = 0; row < kTiles; ++row) {
    for (int column = 0; column < kTiles; ++column) {
      const int tile = darkest[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      if (tile > worst) {
        worst = tile;
        constexpr std::array kRows{"upper", "middle", "lower"};
        constexpr std::array kColumns{"left", "middle", "right"};
        place = fmt::format("{} {}", kRows[static_cast<std::size_t>(row * 3 / kTiles)],
                            kColumns[static_cast<std::size_t>(column * 3 / kTiles)]);
      }
    }
  }
  return place;
}

/// The screen's place in the picture: towards which side it nearly leaves.
void add_place_hints(const phy::ScreenReception& screen,
                     double width,
                     double height,
                     std::vector<std::string>& hints) {
  const auto [left, right] = std::ranges::minmax(screen.corners, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(screen.corners, {}, &Point::y);
  const double edge = kEdge * width;
  const Point centre = centre_of(screen.corners);
  if (left.x < edge && right.x > width - edge) {
    hints.emplace_back("move back: the screen fills the whole width of the picture");
  } else if (left.x < edge || centre.x < (0.5 - kFarAside) * width) {
    hints.emplace_back("turn this camera to its left: the screen is near the picture's left edge");
  } else if (right.x > width - edge || centre.x > (0.5 + kFarAside) * width) {
    hints.emplace_back(
        "turn this camera to its right: the screen is near the picture's right edge");
  }
  if (top.y < edge && bottom.y <= height - edge) {
    hints.emplace_back("tilt this camera up: the screen's upper edge is cut or nearly so");
  } else if (bottom.y > height - edge && top.y >= edge) {
    hints.emplace_back("tilt this camera down: the screen's lower edge is cut or nearly so");
  }
  if (screen.width_share < kSmallShare) {
    hints.push_back(fmt::format("move closer: the screen fills only {:.0f}% of the picture's width",
                                100 * screen.width_share));
  }
}

void add_turn_hint(const phy::ScreenReception& screen, std::vector<std::string>& hints) {
  const auto& c = screen.corners;
  const double left = distance(c[0], c[3]);
  const double right = distance(c[1], c[2]);
  if (std::min(left, right) < kTurned * std::max(left, right)) {
    hints.emplace_back("turn the other laptop towards this one: its screen is seen from the side");
  }
}

/// Grey levels of bright cells, where they have been measured.
double bright_level(const phy::ScreenQuality& quality) {
  return quality.levels[1][0];
}

void add_light_hints(const phy::ScreenReception& screen,
                     const PlaneView& luma,
                     std::vector<std::string>& hints) {
  const double bright = bright_level(screen.quality);
  if (bright > kBurntOut) {
    hints.emplace_back(
        "the screen is burnt out in the picture: lower its brightness, or light the room");
  } else if (bright > 0 && bright < kDim) {
    hints.emplace_back(
        "the screen is dark in the picture: raise its brightness, or keep other lights out of the "
        "camera's view");
  }
  if (const auto place = find_glare(screen, luma)) {
    hints.push_back(
        fmt::format("a lamp or window reflects in the screen's {}: move it, or tilt the "
                    "screen",
                    *place));
  }
}

struct Expectation {
  double bps = 0;
  std::string mode;
};

/// The fastest mode that has something to spare, as far as the view tells.
Expectation expect(const phy::ScreenReception& screen) {
  Expectation best;
  if (screen.frames.empty() || !(screen.quality.cell_px > 0)) {
    return best;
  }
  const phy::FrameHeader& header = screen.frames.back().header;
  const phy::Mode* const seen = phy::find_mode(header.mode);
  const link::ViewQuality view{header.mode, screen.quality.snr_db, screen.quality.cell_px};
  const auto modes = phy::modes();
  for (std::size_t id = 0; seen != nullptr && id < modes.size(); ++id) {
    const auto blocks = phy::block_slots(header.panel, static_cast<phy::ModeId>(id)).size();
    const double bps =
        static_cast<double>(8 * phy::kBlockPayloadBytes * blocks) * kUsualRefreshHz / kUsualHold;
    if (bps > best.bps && link::predict_margin(view, *seen, modes[id]).db >= kSpareDb) {
      best = {bps, std::string(modes[id].name)};
    }
  }
  return best;
}

}  // namespace

bool shows_identity(const phy::ScreenReception& screen, std::uint16_t identity) {
  return !screen.frames.empty() && screen.frames.back().header.epoch == identity;
}

Aim judge_aim(const phy::ScreenReception& screen, const YuvView& picture) {
  Aim aim;
  aim.node = screen.node;
  if (!screen.frames.empty()) {
    aim.name = link::words_of(screen.frames.back().header.epoch);
  }
  aim.width_share = screen.width_share;
  aim.best_snr_db = *std::ranges::max_element(screen.quality.snr_db);
  aim.cell_px = screen.quality.cell_px;
  aim.bright_level = bright_level(screen.quality);
  const Expectation expected = expect(screen);
  aim.expected_bps = expected.bps;
  aim.expected_mode = expected.mode;
  add_place_hints(screen, picture.y.width, picture.y.height, aim.hints);
  add_light_hints(screen, picture.y, aim.hints);
  add_turn_hint(screen, aim.hints);
  const bool measured = aim.cell_px > 0 && aim.bright_level > 0;
  if (measured && aim.hints.empty() && aim.best_snr_db < kBlurredDb) {
    aim.hints.emplace_back(
        "the picture is blurred or noisy: wipe the lens, hold the laptops still");
  }
  return aim;
}

std::string judge_empty_picture(const YuvView& picture) {
  const PlaneView& luma = picture.y;
  double sum = 0;
  double squares = 0;
  std::int64_t n = 0;
  constexpr int kStep = 7;  // odd: cells of a screen have even sides
  for (int y = 0; y < luma.height; y += kStep) {
    for (int x = 0; x < luma.width; x += kStep, ++n) {
      const double value = luma.row(y)[x];
      sum += value;
      squares += value * value;
    }
  }
  if (n == 0) {
    return "the picture is empty";
  }
  const double mean = sum / static_cast<double>(n);
  const double spread = std::sqrt(std::max(0.0, squares / static_cast<double>(n) - mean * mean));
  if (mean < 20) {
    return "the picture is dark: is the camera covered?";
  }
  if (spread < 5) {
    return "the picture is of one grey: is the camera covered, or its lens fogged?";
  }
  if (mean > 235) {
    return "the picture is burnt out: a lamp or window blinds the camera";
  }
  return "no screen of WCCL in the picture: aim the camera at the other laptop's screen";
}

}  // namespace wccl::session
