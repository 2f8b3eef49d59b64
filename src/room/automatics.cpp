#include "room/automatics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wccl::room {
namespace {

/// What metering knows of a picture, from every eighth row's green pixels, in shares of full scale.
struct Metering {
  double mean = 0;
  double highlight = 0;  ///< Only one pixel in a hundred is brighter.
};

Metering meter(const RawPicture& raw) {
  constexpr std::size_t kBins = 256;
  std::array<int, kBins> histogram{};
  double sum = 0;
  int n = 0;
  const float to_bin = (kBins - 1) / raw.full_scale;
  for (int y = 0; y < raw.height; y += 8) {
    const std::uint16_t* row = raw.row(y);
    for (int x = 1; x < raw.width; x += 4) {
      sum += row[x];
      ++histogram[static_cast<std::size_t>(static_cast<float>(row[x]) * to_bin)];
      ++n;
    }
  }
  std::size_t bin = kBins - 1;
  for (int brighter = 0; bin > 0; --bin) {
    brighter += histogram[bin];
    if (100 * brighter > n) {
      break;
    }
  }
  return {sum / n / raw.full_scale, static_cast<double>(bin) / (kBins - 1)};
}

}  // namespace

Automatics::Automatics(const CameraSpec& camera,
                       WhiteBalance neutral,
                       double first_guess_ms,
                       Rng rng)
    : camera_(camera), neutral_(neutral), rng_(rng), quality_(camera.quality_max) {
  product_ms_ = first_guess_ms * std::exp2(camera.ae_start_stops * (2 * rng_.uniform() - 1));
  red_error_ = camera.awb_error * rng_.normal();
  blue_error_ = camera.awb_error * rng_.normal();
}

Exposure Automatics::exposure() const {
  // Time before gain: noise is worse than motion blur for a camera at rest.
  const double ms =
      std::clamp(product_ms_ / camera_.gain_min, camera_.exposure_min_ms, camera_.exposure_max_ms);
  return {ms, std::clamp(product_ms_ / ms, camera_.gain_min, camera_.gain_max)};
}

WhiteBalance Automatics::balance() const {
  return {neutral_.red * std::exp(red_error_), neutral_.blue * std::exp(blue_error_)};
}

int Automatics::jpeg_quality() const {
  return static_cast<int>(std::lround(quality_));
}

void Automatics::update(const RawPicture& raw, std::size_t jpeg_bytes) {
  const Metering metering = meter(raw);
  // A clipped highlight hides how far it is off: assume two stops.
  const double highlight = metering.highlight >= 0.98 ? 4 : std::max(metering.highlight, 1e-3);
  const double wanted =
      std::min(camera_.ae_target / std::max(metering.mean, 1e-4), camera_.ae_highlight / highlight);
  const double lowest = camera_.exposure_min_ms * camera_.gain_min;
  const double highest = camera_.exposure_max_ms * camera_.gain_max;
  product_ms_ = std::clamp(product_ms_ * std::pow(std::clamp(wanted, 0.1, 10.0), camera_.ae_speed),
                           lowest, highest);

  red_error_ = (1 - camera_.awb_speed) * red_error_ + camera_.awb_drift * rng_.normal();
  blue_error_ = (1 - camera_.awb_speed) * blue_error_ + camera_.awb_drift * rng_.normal();

  // Six points of quality are about a quarter of the bytes; firmware steps down fast and creeps up.
  const double budget = 1000 * camera_.frame_kilobytes;
  const double excess =
      std::log(static_cast<double>(std::max<std::size_t>(jpeg_bytes, 1)) / budget);
  quality_ = std::clamp(quality_ - (excess > 0 ? 20.0 : 3.0) * std::clamp(excess, -1.0, 1.0),
                        static_cast<double>(camera_.quality_min),
                        static_cast<double>(camera_.quality_max));
}

}  // namespace wccl::room
