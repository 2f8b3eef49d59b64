#include "room/footprint.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wccl::room {
namespace {

constexpr double kSizeStep =
    1.02;  // between sizes of the table: 1% of a footprint's width is not seen
constexpr double kTail =
    2.6;  // sigmas of blur kept; 1% of the light lies beyond and is spread over the rest

/// Integral of the standard normal distribution function: x Phi(x) + phi(x).
double normal_ramp(double x) {
  const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
  const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
  return x * below + density;
}

}  // namespace

double footprint_below(double position, double size, double sigma) {
  const double left = position + 0.5 * size;
  const double right = position - 0.5 * size;
  if (sigma <= 0) {
    return std::clamp(left / size, 0.0, 1.0);
  }
  return sigma / size * (normal_ramp(left / sigma) - normal_ramp(right / sigma));
}

FootprintTable::FootprintTable(double psf_sigma, double smallest, double largest)
    : smallest_(smallest), reach_(largest * (0.5 + kTail * psf_sigma)) {
  n_taps_ = static_cast<int>(std::ceil(2 * reach_)) + 1;
  lead_ = static_cast<int>(std::ceil(2 * largest)) + 2;
  length_ = lead_ + columns_for(lead_);
  n_sizes_ = static_cast<int>(std::ceil(std::log(largest / smallest) / std::log(kSizeStep))) + 1;
  weights_.reserve(static_cast<std::size_t>(n_sizes_) * kPhases *
                   static_cast<std::size_t>(length_));
  for (int i = 0; i < n_sizes_; ++i) {
    for (int phase = 0; phase < kPhases; ++phase) {
      add_weights(psf_sigma, smallest * std::pow(kSizeStep, i), phase);
    }
  }
}

int FootprintTable::size_index(double panel_px_per_camera_px) const {
  const double index = std::log(panel_px_per_camera_px / smallest_) / std::log(kSizeStep);
  return static_cast<int>(std::clamp(std::lround(index), 0L, static_cast<long>(n_sizes_ - 1)));
}

void FootprintTable::add_weights(double psf_sigma, double size, int phase) {
  const double middle = reach_ + static_cast<double>(phase) / kPhases;
  const auto below = [&](int tap) { return footprint_below(tap - middle, size, psf_sigma * size); };
  const double kept = below(n_taps_) - below(0);
  const std::size_t begin = weights_.size();
  const std::size_t first = begin + static_cast<std::size_t>(lead_);
  weights_.resize(first);
  int sum = 0;
  for (int tap = 0; tap < n_taps_; ++tap) {
    const double weight = (below(tap + 1) - below(tap)) / kept;
    weights_.push_back(static_cast<std::int16_t>(std::lround(kWeightOne * weight)));
    sum += weights_.back();
  }
  // What rounding lost goes to the largest, where it matters least: uniform panels must stay
  // uniform.
  auto largest =
      std::max_element(weights_.begin() + static_cast<std::ptrdiff_t>(first), weights_.end());
  *largest = static_cast<std::int16_t>(*largest + kWeightOne - sum);
  weights_.resize(begin + static_cast<std::size_t>(length_));
}

}  // namespace wccl::room
