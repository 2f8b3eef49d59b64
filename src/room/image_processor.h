#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/image.h"
#include "room/scene.h"
#include "room/sensor.h"

namespace wccl::room {

struct WhiteBalance {
  double red = 1;
  double blue = 1;
};

/// Raw mosaic to Y'CbCr: white balance, demosaic (Malvar, He, Cutler, ICASSP 2004), colour matrix,
/// sRGB curve, noise filter and sharpening.
class ImageProcessor {
 public:
  explicit ImageProcessor(const CameraSpec& camera);

  /// @param sigma  Noise of mid-grey in 8-bit steps: details smaller than a few sigma count as
  /// noise.
  [[nodiscard]] YuvImage develop(const RawPicture& raw, WhiteBalance balance, double sigma);

  /// The gains with which the panel's white comes out grey.
  [[nodiscard]] WhiteBalance neutral() const { return neutral_; }

 private:
  struct Rgb {
    std::vector<float> r, g, b;
  };

  void demosaic_row(const std::array<const float*, 5>& rows, int y, int width);
  void correct_colours(int width);
  void encode_row(int width);
  void store_row(YuvImage& image, int y);
  void filter_luma(YuvImage& image, double sigma) const;
  void filter_chroma(YuvImage& image) const;

  bool subsample_;
  double denoise_;
  double sharpen_;
  std::array<double, 9> crosstalk_;
  WhiteBalance neutral_;
  std::array<float, 9> colour_matrix_{};
  std::vector<float> curve_;  ///< Linear light in steps of 1 / 4095 to 0..255.
  Rgb linear_;
  Rgb encoded_;
  std::vector<float> cb_sum_, cr_sum_;
  std::vector<float> alternating_;  ///< 1, 0, 1, 0, ...
};

}  // namespace wccl::room
