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

Margin predict_margin(const ViewQuality& view, const phy::Mode& from, const phy::Mode& to) {
  const double cell_px = view.cell_px * to.cell_px / from.cell_px;
  if (!(cell_px >= kSmallestCellPx) || !(view.cell_px > 0)) {
    return {-std::numeric_limits<double>::infinity(), 0};
  }
  const std::size_t source = from.colouring == phy::Colouring::kLuma ? 0 : 1;
  const double better_than_normal_db =
      view.snr_db[source] - normal_snr_db(from.colouring, view.cell_px);
  const double first_db = normal_snr_db(to.colouring, cell_px) + better_than_normal_db;
  Margin margin{std::numeric_limits<double>::infinity(), 0};
  for (const phy::Layer layer : phy::layers(to.colouring)) {
    const bool is_luma = to.colouring == phy::Colouring::kLuma;
    const double snr_db = first_db + (is_luma ? 0 : kLayerDb[phy::index_of(layer)]);
    const double needed_db =
        phy::required_snr_db(to.code_rate(layer)) + kDbPerBit * (to.bits_per_level - 1);
    if (snr_db - needed_db < margin.db) {
      margin = {snr_db - needed_db, layer.channel};
    }
  }
  return margin;
}

}  // namespace wccl::link
