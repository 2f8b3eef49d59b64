#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/rng.h"
#include "room/scene.h"

namespace wccl::room {

/// What the sensor gives: one converter value a pixel behind its colour filter, 0 to full_scale.
struct RawPicture {
  int width = 0;
  int height = 0;
  float full_scale = 1023;
  std::vector<std::uint16_t> values;  ///< [height * width]

  [[nodiscard]] const std::uint16_t* row(int y) const {
    return values.data() + static_cast<std::ptrdiff_t>(y) * width;
  }
  [[nodiscard]] std::uint16_t* row(int y) {
    return values.data() + static_cast<std::ptrdiff_t>(y) * width;
  }
};

/// How a capture is exposed.
struct Exposure {
  double ms = 8;
  double gain = 1;
};

/// Light to converter values: photon noise and read noise (the photon transfer model of EMVA 1288),
/// full well, converter.
class Sensor {
 public:
  explicit Sensor(const CameraSpec& camera);

  [[nodiscard]] RawPicture make_raw(int width, int height) const;

  /// One row. @param nits  Mean light over the exposure, behind lens and filter.
  /// @param rng  The row's own: the noise of a row depends on nothing else.
  void expose(std::span<const float> nits,
              Exposure exposure,
              Rng& rng,
              std::span<std::uint16_t> out) const;

  /// The light that fills the converter's range.
  [[nodiscard]] double full_scale_nits(Exposure exposure) const;

 private:
  float sensitivity_;
  float full_well_e_;
  float read_variance_e2_;
  float shot_;  ///< 1 with photon noise, 0 without.
  float full_scale_;
  /// Normal numbers drawn once. A row takes a stretch of them at a place of its own: 2 million
  /// fresh draws for each capture would cost more than all the rest.
  std::shared_ptr<const std::vector<float>> noise_;
};

}  // namespace wccl::room
