#pragma once

#include <array>
#include <cstddef>

#include "eval/figures.h"
#include "phy/receiver.h"

namespace wccl::eval {

/// Means over captures of what the receiver says of a screen.
class QualitySums {
 public:
  void add(const phy::ScreenReception& screen) {
    const phy::ScreenQuality& quality = screen.quality;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      snr_db_[channel] += quality.snr_db[channel];
    }
    cell_px_ += quality.cell_px;
    width_share_ += screen.width_share;
    dark_ += quality.levels[0][0];
    bright_ += quality.levels[1][0];
    ++n_;
  }
  void fill(Figures& figures) const {
    figures.located = n_;
    if (n_ == 0) {
      return;
    }
    for (std::size_t channel = 0; channel < figures.channels.size(); ++channel) {
      figures.channels[channel].snr_db = snr_db_[channel] / n_;
    }
    figures.cell_px = cell_px_ / n_;
    figures.width_share = width_share_ / n_;
    figures.dark = dark_ / n_;
    figures.bright = bright_ / n_;
  }

 private:
  std::array<double, 3> snr_db_{};
  double cell_px_ = 0;
  double width_share_ = 0;
  double dark_ = 0;
  double bright_ = 0;
  int n_ = 0;
};

[[nodiscard]] inline double mi_per_camera_px(const Figures& figures) {
  return figures.cell_px > 0 ? figures.mi_per_cell() / (figures.cell_px * figures.cell_px) : 0;
}

/// One for each channel of a mode, named.
[[nodiscard]] inline std::vector<ChannelFigures> channels_of(const phy::Mode& mode) {
  std::vector<ChannelFigures> channels;
  if (mode.colouring == phy::Colouring::kLuma) {
    channels.emplace_back().name = "luma";
    return channels;
  }
  for (const char* name : {"red", "green", "blue"}) {
    channels.emplace_back().name = name;
  }
  return channels;
}

}  // namespace wccl::eval
