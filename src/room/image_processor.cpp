#include "room/image_processor.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "room/linear_light.h"

namespace wccl::room {
namespace {

constexpr int kCurveSteps = 4095;
constexpr int kBorder = 4;  // columns repeated at both ends of a row, so that filters need no cases

std::array<double, 9> inverse(const std::array<double, 9>& m) {
  const auto minor = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    return m[a] * m[d] - m[b] * m[c];
  };
  const double det = m[0] * minor(4, 5, 7, 8) - m[1] * minor(3, 5, 6, 8) + m[2] * minor(3, 4, 6, 7);
  if (std::abs(det) < 1e-6) {
    return {1, 0, 0, 0, 1, 0, 0, 0, 1};  // colours cannot be told apart: leave them
  }
  return {minor(4, 5, 7, 8) / det, minor(2, 1, 8, 7) / det, minor(1, 2, 4, 5) / det,
          minor(5, 3, 8, 6) / det, minor(0, 2, 6, 8) / det, minor(2, 0, 5, 3) / det,
          minor(3, 4, 6, 7) / det, minor(1, 0, 7, 6) / det, minor(0, 1, 3, 4) / det};
}

double row_sum(const std::array<double, 9>& m, std::size_t row) {
  return m[3 * row] + m[3 * row + 1] + m[3 * row + 2];
}

/// Undoes `share` of the crosstalk between white-balanced channels; grey stays grey.
std::array<float, 9> colour_matrix(std::array<double, 9> crosstalk, double share) {
  for (std::size_t row = 0; row < 3; ++row) {
    const double sum = std::max(row_sum(crosstalk, row), 1e-9);
    for (std::size_t c = 0; c < 3; ++c) {
      crosstalk[3 * row + c] /= sum;
    }
  }
  const auto undo = inverse(crosstalk);
  std::array<float, 9> matrix{};
  for (std::size_t i = 0; i < 9; ++i) {
    matrix[i] = static_cast<float>(share * undo[i] + (1 - share) * (i % 4 == 0 ? 1 : 0));
  }
  return matrix;
}

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(
      static_cast<int>(std::min(std::max(value, 0.0F), 255.0F) + 0.5F));
}

/// A row of the mosaic in linear light, 1 is full scale, white-balanced, with its border.
void load_row(const RawPicture& raw, int y, WhiteBalance balance, std::vector<float>& out) {
  // Mirrored about the edge pixel, which keeps the colours of the mosaic in step.
  const int last = raw.height - 1;
  const std::uint16_t* in = raw.row(y < 0 ? -y : y > last ? 2 * last - y : y);
  const bool red_row = y % 2 == 0;
  const float scale = 1 / raw.full_scale;
  const float even = red_row ? static_cast<float>(balance.red) * scale : scale;
  const float odd = red_row ? scale : static_cast<float>(balance.blue) * scale;
  float* const target = out.data() + kBorder;
  for (int x = 0; x < raw.width; x += 2) {
    target[x] = even * static_cast<float>(in[x]);
    target[x + 1] = odd * static_cast<float>(in[x + 1]);
  }
  for (int i = 1; i <= kBorder; ++i) {
    target[-i] = target[i];
    target[raw.width - 1 + i] = target[raw.width - 1 - i];
  }
}

/// The four 5 x 5 filters of the paper at every pixel of a row.
/// @param is_rare  1 at the pixels that hold the row's own colour, 0 at the green ones: factors,
/// because a choice would
///                 keep the loop scalar.
/// @param own, other  The row's own colour and that of the rows beside it.
void demosaic(const std::array<const float*, 5>& rows,
              const float* __restrict is_rare,
              float* __restrict own,
              float* __restrict green,
              float* __restrict other,
              int width) {
  const float* const a = rows[0];
  const float* const b = rows[1];
  const float* const c = rows[2];
  const float* const d = rows[3];
  const float* const e = rows[4];
  for (int x = 0; x < width; ++x) {
    const float far_v = a[x] + e[x];
    const float far_h = c[x - 2] + c[x + 2];
    const float near_v = b[x] + d[x];
    const float near_h = c[x - 1] + c[x + 1];
    const float diagonal = b[x - 1] + b[x + 1] + d[x - 1] + d[x + 1];
    const float centre = c[x];
    const float at_rare_green = 0.125F * (4 * centre + 2 * (near_v + near_h) - far_v - far_h);
    const float at_rare_other = 0.0625F * (12 * centre + 4 * diagonal - 3 * (far_v + far_h));
    const float at_green_own =
        0.0625F * (10 * centre + 8 * near_h - 2 * (diagonal + far_h) + far_v);
    const float at_green_other =
        0.0625F * (10 * centre + 8 * near_v - 2 * (diagonal + far_v) + far_h);
    const float rare = is_rare[x];
    const float common = 1 - rare;
    own[x] = rare * centre + common * at_green_own;
    green[x] = rare * at_rare_green + common * centre;
    other[x] = rare * at_rare_other + common * at_green_other;
  }
}

/// R', G', B' of a row, 0 to 255, to luma and to the differences that chroma is made of.
/// @param keep  1 adds the differences to those of the row before, 0 starts anew.
void split_luma(const float* __restrict r,
                const float* __restrict g,
                const float* __restrict b,
                float keep,
                std::uint8_t* __restrict luma,
                float* __restrict cb,
                float* __restrict cr,
                int width) {
  for (int x = 0; x < width; ++x) {
    const float value = 0.299F * r[x] + 0.587F * g[x] + 0.114F * b[x];
    luma[x] = to_byte(value);
    cb[x] = keep * cb[x] + (b[x] - value);
    cr[x] = keep * cr[x] + (r[x] - value);
  }
}

/// @param n_sums  Pixels side by side that share one value: 1 or 2.
void store_chroma(const float* __restrict sums,
                  int n_sums,
                  float scale,
                  std::uint8_t* __restrict out,
                  int width) {
  if (n_sums == 1) {
    for (int x = 0; x < width; ++x) {
      out[x] = to_byte(128 + scale * sums[x]);
    }
  } else {
    for (int x = 0; x < width; ++x) {
      out[x] = to_byte(128 + scale * (sums[2 * x] + sums[2 * x + 1]));
    }
  }
}

void apply_curve(const float* __restrict curve,
                 const float* __restrict light,
                 float* __restrict out,
                 int width) {
  for (int x = 0; x < width; ++x) {
    out[x] = curve[static_cast<int>(light[x])];
  }
}

/// The vertical half of a 3 x 3 binomial filter. @param here  A row of a plane as wide as `width`,
/// with a row above and one below.
void weigh_columns(const std::uint8_t* here, int width, std::int16_t* __restrict sums) {
  const std::uint8_t* const above = here - width;
  const std::uint8_t* const below = here + width;
  for (int x = 0; x < width; ++x) {
    sums[x] = static_cast<std::int16_t>(above[x] + 2 * here[x] + below[x]);
  }
}

}  // namespace

ImageProcessor::ImageProcessor(const CameraSpec& camera)
    : subsample_(camera.chroma_subsampling),
      denoise_(camera.denoise),
      sharpen_(camera.sharpen),
      crosstalk_(camera.crosstalk),
      colour_matrix_(colour_matrix(camera.crosstalk, camera.colour_correction)) {
  const double green = row_sum(crosstalk_, 1);
  neutral_ = {green / std::max(row_sum(crosstalk_, 0), 1e-9),
              green / std::max(row_sum(crosstalk_, 2), 1e-9)};
  for (int i = 0; i <= kCurveSteps; ++i) {
    curve_.push_back(
        static_cast<float>(255 * linear_to_srgb(static_cast<double>(i) / kCurveSteps)));
  }
  const auto width = static_cast<std::size_t>(camera.width_px);
  for (Rgb* rows : {&linear_, &encoded_}) {
    rows->r.resize(width);
    rows->g.resize(width);
    rows->b.resize(width);
  }
  cb_sum_.resize(width);
  cr_sum_.resize(width);
  for (std::size_t x = 0; x <= width; ++x) {
    alternating_.push_back(x % 2 == 0 ? 1.0F : 0.0F);
  }
}

YuvImage ImageProcessor::develop(const RawPicture& raw, WhiteBalance balance, double sigma) {
  YuvImage image(raw.width, raw.height);
  if (!subsample_) {
    image.chroma_width = image.width;
    image.chroma_height = image.height;
    image.cb.resize(image.y.size());
    image.cr.resize(image.y.size());
  }
  std::array<std::vector<float>, 5> ring;
  for (auto& row : ring) {
    row.resize(static_cast<std::size_t>(raw.width + 2 * kBorder));
  }
  const auto ring_row = [&](int y) -> std::vector<float>& {
    return ring[static_cast<std::size_t>((y + 5) % 5)];
  };
  for (int y = -2; y < 2; ++y) {
    load_row(raw, y, balance, ring_row(y));
  }
  for (int y = 0; y < raw.height; ++y) {
    load_row(raw, y + 2, balance, ring_row(y + 2));
    std::array<const float*, 5> rows{};
    for (int k = -2; k <= 2; ++k) {
      rows[static_cast<std::size_t>(k + 2)] = ring_row(y + k).data() + kBorder;
    }
    demosaic_row(rows, y, raw.width);
    correct_colours(raw.width);
    encode_row(raw.width);
    store_row(image, y);
  }
  filter_luma(image, sigma);
  filter_chroma(image);
  return image;
}

void ImageProcessor::demosaic_row(const std::array<const float*, 5>& rows, int y, int width) {
  // At even pixels of a red row stands R, of the other row G; at odd ones G and B.
  if (y % 2 == 0) {
    demosaic(rows, alternating_.data(), linear_.r.data(), linear_.g.data(), linear_.b.data(),
             width);
  } else {
    demosaic(rows, alternating_.data() + 1, linear_.b.data(), linear_.g.data(), linear_.r.data(),
             width);
  }
}

void ImageProcessor::correct_colours(int width) {
  const auto& m = colour_matrix_;
  float* const r = linear_.r.data();
  float* const g = linear_.g.data();
  float* const b = linear_.b.data();
  const auto clipped = [](float value) {
    return std::min(std::max(value, 0.0F), 1.0F) * static_cast<float>(kCurveSteps) + 0.5F;
  };
  for (int x = 0; x < width; ++x) {
    // Clipped before the matrix as well: a channel that is full says no more, and white must not
    // turn pink.
    const float red = std::min(r[x], 1.0F);
    const float green = std::min(g[x], 1.0F);
    const float blue = std::min(b[x], 1.0F);
    r[x] = clipped(m[0] * red + m[1] * green + m[2] * blue);
    g[x] = clipped(m[3] * red + m[4] * green + m[5] * blue);
    b[x] = clipped(m[6] * red + m[7] * green + m[8] * blue);
  }
}

void ImageProcessor::encode_row(int width) {
  apply_curve(curve_.data(), linear_.r.data(), encoded_.r.data(), width);
  apply_curve(curve_.data(), linear_.g.data(), encoded_.g.data(), width);
  apply_curve(curve_.data(), linear_.b.data(), encoded_.b.data(), width);
}

/// To Y'CbCr (ITU-T T.871); chroma of 2 x 2 pixels is averaged as JPEG's encoders do.
void ImageProcessor::store_row(YuvImage& image, int y) {
  const bool second_of_two = subsample_ && y % 2 == 1;
  split_luma(encoded_.r.data(), encoded_.g.data(), encoded_.b.data(), second_of_two ? 1.0F : 0.0F,
             image.y.data() + static_cast<std::ptrdiff_t>(y) * image.width, cb_sum_.data(),
             cr_sum_.data(), image.width);
  if (subsample_ && !second_of_two) {
    return;
  }
  const std::ptrdiff_t row =
      static_cast<std::ptrdiff_t>(subsample_ ? y / 2 : y) * image.chroma_width;
  const int n_sums = subsample_ ? 2 : 1;
  const float share = subsample_ ? 0.25F : 1.0F;
  store_chroma(cb_sum_.data(), n_sums, share / 1.772F, image.cb.data() + row, image.chroma_width);
  store_chroma(cr_sum_.data(), n_sums, share / 1.402F, image.cr.data() + row, image.chroma_width);
}

/// One 3 x 3 filter for both, as webcams do it: what differs little from its surroundings is
/// smoothed, what differs much is raised.
void ImageProcessor::filter_luma(YuvImage& image, double sigma) const {
  if (denoise_ <= 0 && sharpen_ <= 0) {
    return;
  }
  const int width = image.width;
  const std::vector<std::uint8_t> before = image.y;
  const auto threshold = static_cast<float>(std::max(2.5 * sigma, 1e-3));
  const auto smoothing = static_cast<float>(-denoise_);
  const auto slope = static_cast<float>((sharpen_ + denoise_) / threshold);
  const auto most = static_cast<float>(sharpen_);
  std::vector<std::int16_t> column(static_cast<std::size_t>(width));
  for (int y = 1; y + 1 < image.height; ++y) {
    const std::uint8_t* const here = before.data() + static_cast<std::ptrdiff_t>(y) * width;
    std::int16_t* const sums = column.data();
    weigh_columns(here, width, sums);
    std::uint8_t* const out = image.y.data() + static_cast<std::ptrdiff_t>(y) * width;
    for (int x = 1; x + 1 < width; ++x) {
      const auto sum = static_cast<float>(sums[x - 1] + 2 * sums[x] + sums[x + 1]);
      const auto value = static_cast<float>(here[x]);
      const float detail = value - 0.0625F * sum;
      const float gain =
          std::min(smoothing + slope * std::max(std::abs(detail) - threshold, 0.0F), most);
      out[x] = to_byte(value + gain * detail);
    }
  }
}

void ImageProcessor::filter_chroma(YuvImage& image) const {
  if (denoise_ <= 0) {
    return;
  }
  const int width = image.chroma_width;
  const auto share = static_cast<float>(denoise_);
  for (std::vector<std::uint8_t>* plane : {&image.cb, &image.cr}) {
    const std::vector<std::uint8_t> before = *plane;
    std::vector<std::int16_t> column(static_cast<std::size_t>(width));
    for (int y = 1; y + 1 < image.chroma_height; ++y) {
      const std::uint8_t* const here = before.data() + static_cast<std::ptrdiff_t>(y) * width;
      std::int16_t* const sums = column.data();
      weigh_columns(here, width, sums);
      std::uint8_t* const out = plane->data() + static_cast<std::ptrdiff_t>(y) * width;
      for (int x = 1; x + 1 < width; ++x) {
        const auto sum = static_cast<float>(sums[x - 1] + 2 * sums[x] + sums[x + 1]);
        const auto value = static_cast<float>(here[x]);
        out[x] = to_byte(value + share * (0.0625F * sum - value));
      }
    }
  }
}

}  // namespace wccl::room
