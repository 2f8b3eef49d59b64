#include "room/sensor.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wccl::room {
namespace {

constexpr std::size_t kNoiseLength = std::size_t{1} << 18U;
constexpr std::size_t kLongestRow = 8192;

std::shared_ptr<const std::vector<float>> normal_numbers() {
  static const auto numbers = [] {
    Rng rng(0x6E6F697365);
    std::vector<float> values(kNoiseLength + kLongestRow);
    for (float& value : values) {
      value = static_cast<float>(rng.normal());
    }
    return std::make_shared<const std::vector<float>>(std::move(values));
  }();
  return numbers;
}

}  // namespace

Sensor::Sensor(const CameraSpec& camera)
    : sensitivity_(static_cast<float>(camera.sensitivity)),
      full_well_e_(static_cast<float>(camera.full_well_e)),
      read_variance_e2_(static_cast<float>(camera.read_noise_e * camera.read_noise_e)),
      shot_(camera.shot_noise ? 1.0F : 0.0F),
      full_scale_(static_cast<float>((1 << camera.adc_bits) - 1)),
      noise_(normal_numbers()) {}

RawPicture Sensor::make_raw(int width, int height) const {
  return {width, height, full_scale_,
          std::vector<std::uint16_t>(static_cast<std::size_t>(width) *
                                     static_cast<std::size_t>(height))};
}

double Sensor::full_scale_nits(Exposure exposure) const {
  return full_well_e_ / (exposure.gain * exposure.ms * sensitivity_);
}

void Sensor::expose(std::span<const float> nits,
                    Exposure exposure,
                    Rng& rng,
                    std::span<std::uint16_t> out) const {
  assert(nits.size() == out.size() && nits.size() <= kLongestRow);
  const float electrons_per_nit = sensitivity_ * static_cast<float>(exposure.ms);
  const float counts_per_electron = full_scale_ * static_cast<float>(exposure.gain) / full_well_e_;
  const float* const noise = noise_->data() + rng.below(kNoiseLength);
  const float* const in = nits.data();
  std::uint16_t* const target = out.data();
  for (std::size_t x = 0; x < out.size(); ++x) {
    const float mean = in[x] * electrons_per_nit;
    // A Poisson number of some tens or more is normal for all that a 10-bit converter can tell.
    const float electrons = mean + noise[x] * std::sqrt(shot_ * mean + read_variance_e2_);
    const float kept = std::min(electrons, full_well_e_);
    const float counts = kept * counts_per_electron + 0.5F;
    target[x] = static_cast<std::uint16_t>(
        static_cast<std::int32_t>(std::min(std::max(counts, 0.0F), full_scale_)));
  }
}

}  // namespace wccl::room
