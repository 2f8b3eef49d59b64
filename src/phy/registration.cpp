#include "phy/registration.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "phy/least_squares.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr double kPilotsPerPatch =
    50;  // With fewer, a chance peak can be higher than the true one.
constexpr int kMostPatches = 96;
constexpr int kLeastPatch = 4;
constexpr double kLeastHeight = 0.25;  // Of a patch's correlation.
constexpr int kReach = 2;              // Half cells that the samples reach to each side.
constexpr int kShifts = 2 * kReach + 1;

/// Luma of a pilot, from -1 to 1 (ITU-R BT.601's weights).
float pilot_luma(const Layout& layout, std::int32_t index) {
  constexpr std::array<float, 3> kWeights{0.299F, 0.587F, 0.114F};
  float sum = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    sum += kWeights[c] * static_cast<float>(layout.pilot_level(index, static_cast<int>(c)));
  }
  return 2 * sum / static_cast<float>(layout.levels() - 1) - 1;
}

struct Patch {
  std::array<std::array<double, kShifts>, kShifts> product{};  ///< [half_y][half_x]
  double pilot_power = 0;
  double pilot_sum = 0;
  double sample_power = 0;
  double sample_sum = 0;
  double x = 0;  ///< Mean place of its pilots, in cells.
  double y = 0;
  int n = 0;
};

std::vector<Patch> correlate(const Layout& layout, const CellSamples& samples) {
  const double n_patches = std::clamp(static_cast<double>(layout.pilot_cells()) / kPilotsPerPatch,
                                      6.0, 1.0 * kMostPatches);
  const double aspect = static_cast<double>(layout.columns()) / layout.rows();
  const int down = std::max(2, static_cast<int>(std::sqrt(n_patches / aspect)));
  const int across = std::max(2, static_cast<int>(n_patches / down));
  std::vector<Patch> patches(static_cast<std::size_t>(across * down));
  for (int row = 0; row < layout.rows(); ++row) {
    const auto kinds = layout.kinds(row);
    const auto indices = layout.indices(row);
    const int patch_row = row * down / layout.rows() * across;
    for (int column = 0; column < layout.columns(); ++column) {
      const auto at = static_cast<std::size_t>(column);
      if (kinds[at] != CellKind::kPilot) {
        continue;
      }
      Patch& patch =
          patches[static_cast<std::size_t>(patch_row + column * across / layout.columns())];
      const auto level = static_cast<double>(pilot_luma(layout, indices[at]));
      for (int dy = -kReach; dy <= kReach; ++dy) {
        for (int dx = -kReach; dx <= kReach; ++dx) {
          patch.product[static_cast<std::size_t>(dy + kReach)]
                       [static_cast<std::size_t>(dx + kReach)] +=
              level * static_cast<double>(samples.luma(row, dx, dy)[at]);
        }
      }
      const auto centre = static_cast<double>(samples.luma(row, 0, 0)[at]);
      patch.pilot_power += level * level;
      patch.pilot_sum += level;
      patch.sample_power += centre * centre;
      patch.sample_sum += centre;
      patch.x += column + 0.5;
      patch.y += row + 0.5;
      ++patch.n;
    }
  }
  return patches;
}

/// The top of the parabola through three values a step apart, in steps from the middle one.
double parabola_top(double before, double middle, double after) {
  const double bend = before - 2 * middle + after;
  if (bend >= 0) {
    return 0;
  }
  return std::clamp(0.5 * (before - after) / bend, -0.6, 0.6);
}

struct Peak {
  double dx = 0;  ///< In cells.
  double dy = 0;
  double height = 0;  ///< Correlation coefficient.
};

/// Correlation coefficients of a patch at each shift.
class Correlation {
 public:
  explicit Correlation(const Patch& patch) : patch_(patch), n_(patch.n) {
    mean_ = patch.sample_sum / n_;
    pilot_mean_ = patch.pilot_sum / n_;
    spread_ = std::sqrt(std::max(1e-12, patch.sample_power / n_ - mean_ * mean_)) *
              std::sqrt(std::max(1e-12, patch.pilot_power / n_ - pilot_mean_ * pilot_mean_));
  }
  /// @param y, x  In half cells.
  [[nodiscard]] double operator()(int y, int x) const {
    const double product =
        patch_.product[static_cast<std::size_t>(y + kReach)][static_cast<std::size_t>(x + kReach)];
    return (product / n_ - mean_ * pilot_mean_) / spread_;
  }

 private:
  const Patch& patch_;
  double n_;
  double mean_;
  double pilot_mean_;
  double spread_;
};

/// Whether all patches together are where they should be, by five standard deviations of chance.
bool is_locked(const std::vector<Patch>& patches) {
  double best = 0;
  double n = 0;
  for (const Patch& patch : patches) {
    n += patch.n;
  }
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      double sum = 0;
      for (const Patch& patch : patches) {
        if (patch.n >= kLeastPatch) {
          sum += patch.n * Correlation(patch)(y, x);
        }
      }
      best = std::max(best, sum / n);
    }
  }
  return best > std::max(0.12, 5 / std::sqrt(std::max(n, 1.0)));
}

Peak find_peak(const Patch& patch) {
  const Correlation at(patch);
  int best_x = 0;
  int best_y = 0;
  for (int y = -kReach; y <= kReach; ++y) {
    for (int x = -kReach; x <= kReach; ++x) {
      if (at(y, x) > at(best_y, best_x)) {
        best_x = x;
        best_y = y;
      }
    }
  }
  Peak peak{0.5 * best_x, 0.5 * best_y, at(best_y, best_x)};
  if (std::abs(best_x) < kReach) {
    peak.dx +=
        0.5 * parabola_top(at(best_y, best_x - 1), at(best_y, best_x), at(best_y, best_x + 1));
  }
  if (std::abs(best_y) < kReach) {
    peak.dy +=
        0.5 * parabola_top(at(best_y - 1, best_x), at(best_y, best_x), at(best_y + 1, best_x));
  }
  return peak;
}

struct Shift {
  ResidualField::Terms terms;
  double dx;  ///< In capture pixels.
  double dy;
  double weight;
};

/// Least squares with little trust in the higher terms; those far off are left out in a second
/// round.
/// @param present  The field that the change will be added to: their sum is expected to be small.
/// @param peak_var  Variance of a shift of weight 1, in square pixels.
ResidualField fit_field(const std::vector<Shift>& shifts,
                        const ResidualField& present,
                        double peak_var) {
  ResidualField field;
  double most = 1e9;
  for (int round = 0; round < 2; ++round) {
    LeastSquares fit_x(ResidualField::kTerms);
    LeastSquares fit_y(ResidualField::kTerms);
    double sum = 0;
    for (const Shift& shift : shifts) {
      double x = 0;
      double y = 0;
      for (std::size_t i = 0; i < ResidualField::kTerms; ++i) {
        x += field.x[i] * shift.terms[i];
        y += field.y[i] * shift.terms[i];
      }
      if (std::hypot(shift.dx - x, shift.dy - y) > most) {
        continue;
      }
      fit_x.add(shift.terms, shift.dx, shift.weight);
      fit_y.add(shift.terms, shift.dy, shift.weight);
    }
    for (int i = 0; i < static_cast<int>(ResidualField::kTerms); ++i) {
      const double expected_px = i < 3 ? 2.0 : i < 6 ? 0.7 : 0.3;
      const double doubt = peak_var / (expected_px * expected_px);
      fit_x.add_ridge(i, doubt, -present.x[static_cast<std::size_t>(i)]);
      fit_y.add_ridge(i, doubt, -present.y[static_cast<std::size_t>(i)]);
    }
    const auto x = fit_x.solve();
    const auto y = fit_y.solve();
    if (x.empty() || y.empty()) {
      return {};
    }
    std::copy(x.begin(), x.end(), field.x.begin());
    std::copy(y.begin(), y.end(), field.y.begin());
    double weights = 0;
    for (const Shift& shift : shifts) {
      double ex = shift.dx;
      double ey = shift.dy;
      for (std::size_t i = 0; i < ResidualField::kTerms; ++i) {
        ex -= field.x[i] * shift.terms[i];
        ey -= field.y[i] * shift.terms[i];
      }
      sum += shift.weight * (ex * ex + ey * ey);
      weights += shift.weight;
    }
    most = 2.5 * std::sqrt(sum / std::max(weights, 1e-9));
  }
  return field;
}

}  // namespace

double match_border(const PlaneView& luma,
                    const FrameHeader& header,
                    const BitVector& bits,
                    const ScreenGeometry& geometry) {
  const HeaderGrid grid = header_grid(header.panel);
  const auto value = [&](double x, double y) {
    const Point p = geometry.map({x, y});
    return static_cast<double>(sample_bilinear(luma, p.x, p.y));
  };
  double sum = 0;
  for (int strip = 0; strip < 2; ++strip) {
    for (int row = 0; row < grid.rows; ++row) {
      for (int column = 0; column < grid.columns; ++column) {
        const PixelRect cell = header_cell(header.panel, strip, row, column);
        const auto bit = static_cast<std::size_t>(header_bit(grid, strip, row, column));
        const bool dark = (bits[bit] != 0) != is_header_cell_flipped(strip, row, column);
        const double here = value(cell.x + 0.5 * cell.width, cell.y + 0.5 * cell.height);
        sum += dark ? -here : here;
      }
    }
  }
  const double module = module_px(header.panel);
  const int n_bars = 3 * grid.columns;
  for (int i = 0; i < n_bars; ++i) {
    const double y = module * kCornerModules +
                     (header.panel.height_px - 2 * module * kCornerModules) * (i + 0.5) / n_bars;
    const double right = header.panel.width_px;
    sum += value(0.5 * module, y) - value(1.5 * module, y);
    sum += value(right - 0.5 * module, y) - value(right - 1.5 * module, y);
  }
  return sum;
}

double estimate_lens_k(const PlaneView& luma,
                       const FrameHeader& header,
                       const std::array<Point, 4>& finders,
                       double first_guess) {
  const BitVector bits = encode_header(header);
  const auto score = [&](double k) {
    const auto geometry =
        ScreenGeometry::from_finders(header.panel, finders, Lens::of(luma.width, luma.height, k));
    return geometry ? match_border(luma, header, bits, *geometry) : -1e30;
  };
  double best = first_guess;
  double best_score = score(best);
  double step = 0.02;
  for (int i = -8; i <= 8; ++i) {
    const double k = first_guess + step * i;
    const double s = score(k);
    if (s > best_score) {
      best_score = s;
      best = k;
    }
  }
  for (int round = 0; round < 4; ++round) {
    step /= 2;
    for (const double k : {best - step, best + step}) {
      const double s = score(k);
      if (s > best_score) {
        best_score = s;
        best = k;
      }
    }
  }
  return best;
}

PilotFit fit_pilots(const Layout& layout,
                    const CellSamples& samples,
                    const ScreenGeometry& geometry) {
  const auto patches = correlate(layout, samples);
  const int cell_px = layout.mode().cell_px;
  std::vector<Shift> shifts;
  PilotFit fit;
  fit.locked = is_locked(patches);
  for (const Patch& patch : patches) {
    if (patch.n < kLeastPatch) {
      continue;
    }
    const Peak peak = find_peak(patch);
    if (peak.height < kLeastHeight) {
      continue;
    }
    const Point pixel{layout.origin_x() + patch.x / patch.n * cell_px,
                      layout.origin_y() + patch.y / patch.n * cell_px};
    const Point here = geometry.map(pixel);
    const Point there = geometry.map({pixel.x + peak.dx * cell_px, pixel.y + peak.dy * cell_px});
    const Point place = geometry.normalised(pixel);
    shifts.push_back({ResidualField::terms(place.x, place.y), there.x - here.x, there.y - here.y,
                      patch.n * peak.height * peak.height});
  }
  if (shifts.size() < 6) {
    return fit;
  }
  // Neighbours' random levels move a peak by about this much of a cell, over the root of the
  // pilots.
  const double peak_px =
      0.2 * cell_px *
      geometry.scale({0.5 * layout.panel().width_px, 0.5 * layout.panel().height_px});
  fit.change = fit_field(shifts, geometry.residual(), peak_px * peak_px);
  double sum = 0;
  for (const Shift& shift : shifts) {
    double x = 0;
    double y = 0;
    for (std::size_t i = 0; i < ResidualField::kTerms; ++i) {
      x += fit.change.x[i] * shift.terms[i];
      y += fit.change.y[i] * shift.terms[i];
    }
    sum += x * x + y * y;
  }
  fit.rms_px = std::sqrt(sum / static_cast<double>(shifts.size()));
  return fit;
}

ScreenGeometry corrected(const ScreenGeometry& geometry, const PilotFit& fit, double share) {
  ResidualField residual = geometry.residual();
  for (std::size_t i = 0; i < ResidualField::kTerms; ++i) {
    residual.x[i] += share * fit.change.x[i];
    residual.y[i] += share * fit.change.y[i];
  }
  ScreenGeometry result = geometry;
  result.set_residual(residual);
  return result;
}

}  // namespace wccl::phy
