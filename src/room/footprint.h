#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wccl::room {

/// What one camera pixel collects along one axis of a panel: its own width, blurred by the lens.
/// Kept as weights of the panel's pixels for every fraction of a panel pixel at which the footprint
/// can begin, and for every size it takes within one picture.
class FootprintTable {
 public:
  static constexpr int kPhases = 32;        ///< 1/32 panel pixel: below 0.02 camera pixels.
  static constexpr int kWeightOne = 32767;  ///< What the weights of one footprint add up to.

  /// @param psf_sigma        Blur in camera pixels.
  /// @param smallest, largest  Panel pixels to a camera pixel.
  FootprintTable(double psf_sigma, double smallest, double largest);

  [[nodiscard]] int n_taps() const { return n_taps_; }
  /// From the first tap's left edge, at phase 0, to the footprint's middle, in panel pixels.
  [[nodiscard]] double reach() const { return reach_; }
  [[nodiscard]] int size_index(double panel_px_per_camera_px) const;

  /// [kPhases][padded_taps()] weights for one size.
  [[nodiscard]] const std::int16_t* weights(int size_index) const {
    return weights_.data() + static_cast<std::ptrdiff_t>(size_index) * kPhases * padded_taps_;
  }
  /// n_taps() rounded up to what one vector holds; the rest is zero.
  [[nodiscard]] int padded_taps() const { return padded_taps_; }

 private:
  void add_weights(double psf_sigma, double size, int phase);

  double smallest_;
  double reach_ = 0;
  int n_taps_ = 0;
  int padded_taps_ = 0;
  int n_sizes_ = 0;
  std::vector<std::int16_t> weights_;
};

/// Share of a footprint that lies below `position`: the integral of a box of width `size` blurred
/// by a Gaussian.
/// @param position  From the footprint's middle, in the unit of `size` and `sigma`.
[[nodiscard]] double footprint_below(double position, double size, double sigma);

}  // namespace wccl::room
