#include "link/view_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phy/code_rate.h"

namespace wccl::link {
namespace {

struct CurvePoint {
  double octaves;  ///< Of the cell's side over a camera pixel.
  double snr_db;
};

// Both as the room's face_1080p, side_view and dim showed them behind the equaliser.
constexpr std::array kGreen{CurvePoint{0.24, -2.1}, CurvePoint{0.65, 1.6},  CurvePoint{0.86, 3.5},
                            CurvePoint{1.29, 6.4},  CurvePoint{1.58, 9.1},  CurvePoint{1.85, 11.1},
                            CurvePoint{2.29, 15.2}, CurvePoint{2.35, 15.7}, CurvePoint{4, 16.5}};
// Luma of large cells is limited by JPEG and tells little of small ones.
constexpr std::array kLuma{CurvePoint{0.65, 6.7},  CurvePoint{0.98, 10.5}, CurvePoint{1.29, 18.7},
                           CurvePoint{1.58, 22.0}, CurvePoint{2.29, 30.0}, CurvePoint{2.65, 33.0},
                           CurvePoint{3.3, 33.0}};
// Layers against the first half of green, once those before them are known; as index_of() counts.
constexpr std::array<double, phy::kMostLayers> kLayerDb{-2.5, 0.5, 0, 3, -2.9, 0.3};
// Each further bit of a level halves the distance between levels.
constexpr double kDbPerBit = 6.5;
// JPEG decides how well large cells of luma are seen: glare that takes 15 dB of them leaves the
// colours of small ones as they are.
constexpr double kLumaTrust = 0.2;
constexpr double kLeastGuessDb = -0.5;
constexpr double kMostGuessDb = 0.3;
// Smaller cells than this (camera pixels) are beyond any camera's optics and demosaicing.
constexpr double kSmallestCellPx = 1.0;

template <std::size_t n>
double read_curve(const std::array<CurvePoint, n>& curve, double octaves) {
  std::size_t i = 1;
  while (i + 1 < n && curve[i].octaves < octaves) {
    ++i;
  }
  const CurvePoint& a = curve[i - 1];
  const CurvePoint& b = curve[i];
  return a.snr_db + (b.snr_db - a.snr_db) * (octaves - a.octaves) / (b.octaves - a.octaves);
}

double normal_snr_db(phy::Colouring colouring, double cell_px) {
  const double octaves = std::log2(cell_px);
  return colouring == phy::Colouring::kLuma ? read_curve(kLuma, std::min(octaves, 3.3))
                                            : read_curve(kGreen, octaves);
}

}  // namespace

Sight sight_of(const ViewQuality& view, const phy::Mode& mode) {
  if (!(view.cell_px > 0)) {
    return {0, 0, mode.colouring};
  }
  const std::size_t judged = mode.colouring == phy::Colouring::kLuma ? 0 : 1;
  return {view.cell_px / mode.cell_px,
          view.snr_db[judged] - normal_snr_db(mode.colouring, view.cell_px), mode.colouring};
}

Margin predict_margin(const Sight& sight, const phy::Mode& to) {
  const double cell_px = sight.scale * to.cell_px;
  if (!(cell_px >= kSmallestCellPx)) {
    return {-std::numeric_limits<double>::infinity(), 0};
  }
  const bool is_luma = to.colouring == phy::Colouring::kLuma;
  const bool is_guess = !is_luma && sight.colouring == phy::Colouring::kLuma;
  const double better_db =
      is_guess ? std::clamp(kLumaTrust * sight.better_db, kLeastGuessDb, kMostGuessDb)
               : sight.better_db;
  const double first_db = normal_snr_db(to.colouring, cell_px) + better_db;
  Margin margin{std::numeric_limits<double>::infinity(), 0};
  for (const phy::Layer layer : phy::layers(to.colouring)) {
    const double snr_db = first_db + (is_luma ? 0 : kLayerDb[phy::index_of(layer)]);
    const double needed_db =
        phy::required_snr_db(to.code_rate(layer)) + kDbPerBit * (to.bits_per_level - 1);
    if (snr_db - needed_db < margin.db) {
      margin = {snr_db - needed_db, layer.channel};
    }
  }
  return margin;
}

Margin predict_margin(const ViewQuality& view, const phy::Mode& from, const phy::Mode& to) {
  return predict_margin(sight_of(view, from), to);
}

}  // namespace wccl::link
