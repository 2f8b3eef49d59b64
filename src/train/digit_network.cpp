#include "train/digit_network.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>

// Rounding is part of the result (see the header), so multiply-adds are spelled std::fma, one
// instruction on today's machines, and a product never meets a sum outside one: a compiler has
// nothing left to contract. Batches run in groups of kLanes images side by side; each lane is one
// image, so loops over lanes are vectors and nothing is summed across lanes but at the end, in lane
// order.

namespace wccl::train {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kIn = 28;   // side of a picture
constexpr std::size_t kMid = 26;  // after the first convolution
constexpr std::size_t kOut = 12;  // after the second, stride 2
constexpr std::size_t kPool = 8;  // after pooling
constexpr std::size_t kFeatures = kPool * kPool;
constexpr std::size_t kClasses = 10;
constexpr std::size_t kTaps = 9;

constexpr std::size_t kConv1 = 0;
constexpr std::size_t kBias1 = kConv1 + kTaps;
constexpr std::size_t kConv2 = kBias1 + 1;
constexpr std::size_t kBias2 = kConv2 + kTaps;
constexpr std::size_t kLinear = kBias2 + 1;
constexpr std::size_t kLinearBias = kLinear + kClasses * kFeatures;
static_assert(kLinearBias + kClasses == DigitNetwork::kParameters);

// Brings the mean of the pooled features near 1, where AdamW's equal steps suit kernels and linear
// layer alike.
constexpr float kInputScale = 3.0F / 255.0F;

// Adaptive average pooling from 12 to 8: windows of two that overlap by a half; where they begin.
constexpr std::size_t window(std::size_t i) {
  return i * kOut / kPool;
}

/// A plane of Side x Side pixels, kLanes pictures interleaved.
template <std::size_t Side>
using Plane = std::array<float, Side * Side * kLanes>;

constexpr std::size_t at(std::size_t side, std::size_t y, std::size_t x) {
  return (y * side + x) * kLanes;
}

/// e^x for x <= 0 to 2 ulp: e^x = 2^n e^r with |r| <= ln 2 / 2, Taylor to the 7th power (Cody and
/// Waite 1980).
float exp_exact(float x) {
  x = std::max(x, -80.0F);
  const float n = std::nearbyint(x * std::numbers::log2e_v<float>);
  float r = std::fma(n, -0.693359375F, x);
  r = std::fma(n, 2.12194440e-4F, r);
  float sum = 1.0F / 5040.0F;
  for (const float c :
       {1.0F / 720.0F, 1.0F / 120.0F, 1.0F / 24.0F, 1.0F / 6.0F, 0.5F, 1.0F, 1.0F}) {
    sum = std::fma(sum, r, c);
  }
  return sum * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

struct TensorTable {
  std::array<TensorSpec, 6> specs{{{"conv1.weight", {1, 1, 3, 3}, 4, kConv1, kTaps},
                                   {"conv1.bias", {1}, 1, kBias1, 1},
                                   {"conv2.weight", {1, 1, 3, 3}, 4, kConv2, kTaps},
                                   {"conv2.bias", {1}, 1, kBias2, 1},
                                   {"linear.weight", {10, 64}, 2, kLinear, kClasses* kFeatures},
                                   {"linear.bias", {10}, 1, kLinearBias, kClasses}}};
};
constexpr TensorTable kTensors;

}  // namespace

struct DigitNetwork::Scratch {
  alignas(64) Plane<kIn> input{};
  alignas(64) Plane<kMid> hidden1{};  // after the ReLU
  alignas(64) Plane<kOut> hidden2{};  // after the ReLU
  alignas(64) Plane<kPool> pooled{};
  alignas(64) std::array<float, kClasses * kLanes> logits{};
  alignas(64) Plane<kMid> d_hidden1{};
  alignas(64) Plane<kOut> d_hidden2{};
  alignas(64) Plane<kPool> d_pooled{};
  alignas(64) std::array<float, kClasses * kLanes> d_logits{};
  alignas(
      64) std::array<float, kParameters * kLanes> d_weights{};  // summed over batches, lane by lane

  void load(const LabelledImages& images, std::span<const int> batch);
  void forward(const float* weights);
  double softmax(const LabelledImages& images, std::span<const int> batch);
  void backward(const float* weights);

 private:
  void forward_pool();
  void forward_linear(const float* weights);
  void backward_linear(const float* weights);
  void backward_pool();
  void backward_conv2(const float* weights);
  void backward_conv1();
};

void DigitNetwork::Scratch::load(const LabelledImages& images, std::span<const int> batch) {
  std::array<const std::uint8_t*, kLanes> picture{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    // Idle lanes repeat the first picture; softmax() gives them no gradient.
    const int index = batch[lane < batch.size() ? lane : 0];
    picture[lane] = images.pixels.data() + static_cast<std::size_t>(index) * kIn * kIn;
  }
  for (std::size_t pixel = 0; pixel < kIn * kIn; ++pixel) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      input[pixel * kLanes + lane] = static_cast<float>(picture[lane][pixel]) * kInputScale;
    }
  }
}

/// A 3x3 convolution and its ReLU at `n` neighbouring lanes.
/// @param rows  Where the window's three rows begin, for the first lane.
void convolve(const float* kernel,
              float bias,
              const std::array<const float*, 3>& rows,
              std::size_t n,
              float* out) {
  const auto [a, b, c] = rows;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = i + kLanes;
    const std::size_t l = j + kLanes;
    float sum = std::fma(kernel[0], a[i], bias);
    sum = std::fma(kernel[1], a[j], sum);
    sum = std::fma(kernel[2], a[l], sum);
    sum = std::fma(kernel[3], b[i], sum);
    sum = std::fma(kernel[4], b[j], sum);
    sum = std::fma(kernel[5], b[l], sum);
    sum = std::fma(kernel[6], c[i], sum);
    sum = std::fma(kernel[7], c[j], sum);
    sum = std::fma(kernel[8], c[l], sum);
    out[i] = sum > 0.0F ? sum : 0.0F;
  }
}

void DigitNetwork::Scratch::forward(const float* weights) {
  const auto rows = [](const auto& plane, std::size_t side, std::size_t y, std::size_t x) {
    return std::array<const float*, 3>{&plane[at(side, y, x)], &plane[at(side, y + 1, x)],
                                       &plane[at(side, y + 2, x)]};
  };
  // Stride 1: the lanes of a whole row are neighbours, in and out. Stride 2: only those of one
  // pixel are.
  for (std::size_t y = 0; y < kMid; ++y) {
    convolve(weights + kConv1, weights[kBias1], rows(input, kIn, y, 0), kMid * kLanes,
             &hidden1[at(kMid, y, 0)]);
  }
  for (std::size_t y = 0; y < kOut; ++y) {
    for (std::size_t x = 0; x < kOut; ++x) {
      convolve(weights + kConv2, weights[kBias2], rows(hidden1, kMid, 2 * y, 2 * x), kLanes,
               &hidden2[at(kOut, y, x)]);
    }
  }
  forward_pool();
  forward_linear(weights);
}

void DigitNetwork::Scratch::forward_pool() {
  for (std::size_t y = 0; y < kPool; ++y) {
    for (std::size_t x = 0; x < kPool; ++x) {
      const float* a = &hidden2[at(kOut, window(y), window(x))];
      const float* b = a + kOut * kLanes;
      float* out = &pooled[at(kPool, y, x)];
      for (std::size_t i = 0; i < kLanes; ++i) {
        out[i] = ((a[i] + a[i + kLanes]) + (b[i] + b[i + kLanes])) * 0.25F;
      }
    }
  }
}

void DigitNetwork::Scratch::forward_linear(const float* weights) {
  for (std::size_t n = 0; n < kClasses; ++n) {
    float* sum = &logits[n * kLanes];
    std::fill_n(sum, kLanes, weights[kLinearBias + n]);
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const float w = weights[kLinear + n * kFeatures + f];
      for (std::size_t i = 0; i < kLanes; ++i)
        sum[i] = std::fma(w, pooled[f * kLanes + i], sum[i]);
    }
  }
}

/// Cross-entropy and its gradient at the logits. @return the sum of the losses of the batch.
double DigitNetwork::Scratch::softmax(const LabelledImages& images, std::span<const int> batch) {
  d_logits.fill(0.0F);
  double loss = 0;
  for (std::size_t lane = 0; lane < batch.size(); ++lane) {
    float top = logits[lane];
    for (std::size_t n = 1; n < kClasses; ++n)
      top = std::max(top, logits[n * kLanes + lane]);
    float total = 0;
    for (std::size_t n = 0; n < kClasses; ++n) {
      const float value = exp_exact(logits[n * kLanes + lane] - top);
      d_logits[n * kLanes + lane] = value;
      total += value;
    }
    for (std::size_t n = 0; n < kClasses; ++n)
      d_logits[n * kLanes + lane] /= total;
    const std::size_t label = images.labels[static_cast<std::size_t>(batch[lane])];
    d_logits[label * kLanes + lane] -= 1.0F;
    loss += std::log(static_cast<double>(total)) -
            static_cast<double>(logits[label * kLanes + lane] - top);
  }
  return loss;
}

void DigitNetwork::Scratch::backward(const float* weights) {
  backward_linear(weights);
  backward_pool();
  backward_conv2(weights);
  backward_conv1();
}

void DigitNetwork::Scratch::backward_linear(const float* weights) {
  d_pooled.fill(0.0F);
  for (std::size_t n = 0; n < kClasses; ++n) {
    const float* d = &d_logits[n * kLanes];
    float* d_bias = &d_weights[(kLinearBias + n) * kLanes];
    for (std::size_t i = 0; i < kLanes; ++i)
      d_bias[i] += d[i];
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const float w = weights[kLinear + n * kFeatures + f];
      const float* x = &pooled[f * kLanes];
      float* d_x = &d_pooled[f * kLanes];
      float* d_w = &d_weights[(kLinear + n * kFeatures + f) * kLanes];
      for (std::size_t i = 0; i < kLanes; ++i) {
        d_x[i] = std::fma(w, d[i], d_x[i]);
        d_w[i] = std::fma(x[i], d[i], d_w[i]);
      }
    }
  }
}

void DigitNetwork::Scratch::backward_pool() {
  d_hidden2.fill(0.0F);
  for (std::size_t y = 0; y < kPool; ++y) {
    for (std::size_t x = 0; x < kPool; ++x) {
      const float* d = &d_pooled[at(kPool, y, x)];
      float* a = &d_hidden2[at(kOut, window(y), window(x))];
      float* b = a + kOut * kLanes;
      for (std::size_t i = 0; i < 2 * kLanes; ++i) {
        a[i] = std::fma(d[i % kLanes], 0.25F, a[i]);
        b[i] = std::fma(d[i % kLanes], 0.25F, b[i]);
      }
    }
  }
  for (std::size_t i = 0; i < d_hidden2.size(); ++i)
    d_hidden2[i] = hidden2[i] > 0.0F ? d_hidden2[i] : 0.0F;
}

void DigitNetwork::Scratch::backward_conv2(const float* weights) {
  d_hidden1.fill(0.0F);
  float* d_bias = &d_weights[kBias2 * kLanes];
  for (std::size_t y = 0; y < kOut; ++y) {
    for (std::size_t x = 0; x < kOut; ++x) {
      const float* d = &d_hidden2[at(kOut, y, x)];
      for (std::size_t i = 0; i < kLanes; ++i)
        d_bias[i] += d[i];
      for (std::size_t tap = 0; tap < kTaps; ++tap) {
        const float w = weights[kConv2 + tap];
        const std::size_t pixel = at(kMid, 2 * y + tap / 3, 2 * x + tap % 3);
        const float* h = &hidden1[pixel];
        float* d_h = &d_hidden1[pixel];
        float* d_w = &d_weights[(kConv2 + tap) * kLanes];
        for (std::size_t i = 0; i < kLanes; ++i) {
          d_h[i] = std::fma(w, d[i], d_h[i]);
          d_w[i] = std::fma(h[i], d[i], d_w[i]);
        }
      }
    }
  }
  for (std::size_t i = 0; i < d_hidden1.size(); ++i)
    d_hidden1[i] = hidden1[i] > 0.0F ? d_hidden1[i] : 0.0F;
}

void DigitNetwork::Scratch::backward_conv1() {
  float* d_bias = &d_weights[kBias1 * kLanes];
  for (std::size_t y = 0; y < kMid; ++y) {
    for (std::size_t x = 0; x < kMid; ++x) {
      const float* d = &d_hidden1[at(kMid, y, x)];
      for (std::size_t i = 0; i < kLanes; ++i)
        d_bias[i] += d[i];
      for (std::size_t tap = 0; tap < kTaps; ++tap) {
        const float* p = &input[at(kIn, y + tap / 3, x + tap % 3)];
        float* d_w = &d_weights[(kConv1 + tap) * kLanes];
        for (std::size_t i = 0; i < kLanes; ++i)
          d_w[i] = std::fma(p[i], d[i], d_w[i]);
      }
    }
  }
}

std::span<const TensorSpec> DigitNetwork::tensors() {
  return kTensors.specs;
}

std::vector<float> DigitNetwork::initial_weights(Rng rng) {
  std::vector<float> weights(kParameters, 0.0F);
  const auto noise = [&rng](double bound) {
    return static_cast<float>((2.0 * rng.uniform() - 1.0) * bound);
  };
  for (std::size_t tap = 0; tap < kTaps; ++tap) {
    const float centre = tap == kTaps / 2 ? 1.0F : 0.0F;
    weights[kConv1 + tap] = centre + noise(0.05);
    weights[kConv2 + tap] = centre + noise(0.05);
  }
  for (std::size_t i = 0; i < kClasses * kFeatures; ++i)
    weights[kLinear + i] = noise(0.05);
  return weights;
}

DigitNetwork::DigitNetwork() : scratch_(std::make_unique<Scratch>()) {}
DigitNetwork::~DigitNetwork() = default;

double DigitNetwork::loss_and_gradient(std::span<const float> weights,
                                       const LabelledImages& images,
                                       std::span<const int> batch,
                                       std::span<float> gradient) {
  assert(weights.size() == kParameters && gradient.size() == kParameters && !batch.empty());
  assert(images.rows == kIn && images.columns == kIn);
  scratch_->d_weights.fill(0.0F);
  double loss = 0;
  for (std::size_t begin = 0; begin < batch.size(); begin += kLanes) {
    const auto group = batch.subspan(begin, std::min(kLanes, batch.size() - begin));
    scratch_->load(images, group);
    scratch_->forward(weights.data());
    loss += scratch_->softmax(images, group);
    scratch_->backward(weights.data());
  }
  for (std::size_t i = 0; i < kParameters; ++i) {
    float sum = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sum += scratch_->d_weights[i * kLanes + lane];
    gradient[i] = sum / static_cast<float>(batch.size());
  }
  return loss / static_cast<double>(batch.size());
}

int DigitNetwork::count_correct(std::span<const float> weights, const LabelledImages& images) {
  int n_correct = 0;
  std::array<int, kLanes> batch{};
  for (int begin = 0; begin < images.n_images; begin += static_cast<int>(kLanes)) {
    const int size = std::min(static_cast<int>(kLanes), images.n_images - begin);
    for (int i = 0; i < size; ++i)
      batch[static_cast<std::size_t>(i)] = begin + i;
    scratch_->load(images, std::span(batch).first(static_cast<std::size_t>(size)));
    scratch_->forward(weights.data());
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(size); ++lane) {
      std::size_t best = 0;
      for (std::size_t n = 1; n < kClasses; ++n) {
        if (scratch_->logits[n * kLanes + lane] > scratch_->logits[best * kLanes + lane]) best = n;
      }
      n_correct += images.labels[static_cast<std::size_t>(begin) + lane] == best ? 1 : 0;
    }
  }
  return n_correct;
}

}  // namespace wccl::train
