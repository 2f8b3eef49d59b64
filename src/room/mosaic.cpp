#include "room/mosaic.h"

#include <algorithm>
#include <cmath>

namespace wccl::room {
namespace {

/// The Gaussian's integral over each pixel, not its value at the centre: right for narrow ones,
/// too.
std::vector<float> gaussian_taps(double sigma) {
  if (sigma <= 0) {
    return {1.0F};
  }
  const int radius = std::max(1, static_cast<int>(std::ceil(3.2 * sigma)));
  std::vector<double> taps;
  double sum = 0;
  for (int i = 0; i <= radius; ++i) {
    const double scale = 1 / (sigma * std::sqrt(2.0));
    taps.push_back(0.5 * (std::erf((i + 0.5) * scale) - std::erf((i - 0.5) * scale)));
    sum += (i == 0 ? 1 : 2) * taps.back();
  }
  std::vector<float> normalised;
  for (const double tap : taps) {
    normalised.push_back(static_cast<float>(tap / sum));
  }
  return normalised;
}

}  // namespace

MosaicFilter::MosaicFilter(double psf_sigma_px, const std::array<double, 9>& crosstalk)
    : taps_(gaussian_taps(psf_sigma_px)) {
  std::transform(crosstalk.begin(), crosstalk.end(), crosstalk_.begin(),
                 [](double value) { return static_cast<float>(value); });
}

/// @param rows  The 2 radius + 1 rows about the wanted one.
void MosaicFilter::blur_rows(std::span<const float* const> rows, std::span<float> out) const {
  const std::size_t middle = rows.size() / 2;
  float* const target = out.data();
  const std::size_t n = out.size();
  const float* const centre = rows[middle];
  const float centre_tap = taps_[0];
  for (std::size_t i = 0; i < n; ++i) {
    target[i] = centre_tap * centre[i];
  }
  for (std::size_t k = 1; k < taps_.size(); ++k) {
    const float* const above = rows[middle - k];
    const float* const below = rows[middle + k];
    const float tap = taps_[k];
    for (std::size_t i = 0; i < n; ++i) {
      target[i] += tap * (above[i] + below[i]);
    }
  }
}

/// @param blurred  Interleaved row, readable by `radius` pixels beyond both ends.
void MosaicFilter::pick_colours(const float* blurred, int y, std::span<float> out) const {
  // Even rows hold R G R G, odd rows G B G B.
  const std::array<std::size_t, 2> filters =
      y % 2 == 0 ? std::array<std::size_t, 2>{0, 1} : std::array<std::size_t, 2>{1, 2};
  for (std::size_t x = 0; x < out.size(); ++x) {
    const float* const pixel = blurred + 4 * x;
    const float* const weights = crosstalk_.data() + 3 * filters[x % 2];
    out[x] = weights[0] * pixel[0] + weights[1] * pixel[1] + weights[2] * pixel[2];
  }
}

void MosaicFilter::apply(const RowSource& source, MosaicPlane& target) const {
  const int radius = this->radius();
  const auto row_floats = static_cast<std::size_t>(4 * target.width);
  const auto edge_floats = static_cast<std::size_t>(4 * radius);
  const int n_rows = 2 * radius + 1;
  std::vector<float> ring(row_floats * static_cast<std::size_t>(n_rows));
  std::vector<float> vertical(row_floats + 2 * edge_floats);
  std::vector<float> both(row_floats);
  std::vector<const float*> rows(static_cast<std::size_t>(n_rows));
  std::vector<const float*> shifted(static_cast<std::size_t>(n_rows));
  const auto ring_row = [&](int y) {
    return ring.data() + row_floats * static_cast<std::size_t>(y % n_rows);
  };

  int n_loaded = 0;
  for (int y = 0; y < target.height; ++y) {
    for (; n_loaded <= std::min(y + radius, target.height - 1); ++n_loaded) {
      source(n_loaded, {ring_row(n_loaded), row_floats});
    }
    for (int k = -radius; k <= radius; ++k) {
      rows[static_cast<std::size_t>(k + radius)] =
          ring_row(std::clamp(y + k, 0, target.height - 1));
    }
    float* const middle = vertical.data() + edge_floats;
    blur_rows(rows, {middle, row_floats});
    for (std::size_t i = 0; i < edge_floats; ++i) {
      vertical[i] = middle[i % 4];
      middle[row_floats + i] = middle[row_floats - 4 + i % 4];
    }
    for (int k = 0; k < n_rows; ++k) {
      shifted[static_cast<std::size_t>(k)] = vertical.data() + 4 * k;
    }
    blur_rows(shifted, both);
    pick_colours(both.data(), y, {target.row(y), static_cast<std::size_t>(target.width)});
  }
}

}  // namespace wccl::room
