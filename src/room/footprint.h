#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "room/footprint_sum.h"

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

  /// The weights for one size and phase. There are lead() zeros before them and as many behind as
  /// vectors of kSumColumns can touch that begin up to lead() early.
  [[nodiscard]] const std::int16_t* weights(int size_index, int phase) const {
    return weights_.data() + (static_cast<std::ptrdiff_t>(size_index) * kPhases + phase) * length_ +
           lead_;
  }
  /// Panel pixels that a vector may begin before a footprint: neighbours of one colour share their
  /// rows' sums.
  [[nodiscard]] int lead() const { return lead_; }
  /// Columns that cover a footprint beginning up to `offset` late, in whole vectors.
  [[nodiscard]] int columns_for(int offset) const {
    return (n_taps_ + offset + kSumColumns - 1) / kSumColumns * kSumColumns;
  }

 private:
  void add_weights(double psf_sigma, double size, int phase);

  double smallest_;
  double reach_ = 0;
  int n_taps_ = 0;
  int lead_ = 0;
  int length_ = 0;
  int n_sizes_ = 0;
  std::vector<std::int16_t> weights_;
};

/// Share of a footprint that lies below `position`: the integral of a box of width `size` blurred
/// by a Gaussian.
/// @param position  From the footprint's middle, in the unit of `size` and `sigma`.
[[nodiscard]] double footprint_below(double position, double size, double sigma);

}  // namespace wccl::room
