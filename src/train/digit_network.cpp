#include "train/digit_network.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <numeric>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/relu.h>
#include <torch/autograd.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

namespace wccl::train {
namespace {

constexpr std::int64_t kSide = 28;
constexpr std::int64_t kPool = 8;
constexpr std::int64_t kClasses = 10;
constexpr int kEvaluationBatch = 500;  // Its activations stay in a laptop's second-level cache.

// Brings the mean of the pooled features near 1, where AdamW's equal steps suit kernels and linear
// layer alike.
constexpr float kInputScale = 3.0F / 255.0F;

constexpr std::array<TensorSpec, 6> kTensors{{{"conv1.weight", {1, 1, 3, 3}, 4, 0, 9},
                                              {"conv1.bias", {1}, 1, 9, 1},
                                              {"conv2.weight", {1, 1, 3, 3}, 4, 10, 9},
                                              {"conv2.bias", {1}, 1, 19, 1},
                                              {"linear.weight", {10, 64}, 2, 20, 640},
                                              {"linear.bias", {10}, 1, 660, 10}}};
static_assert(kTensors.back().offset + kTensors.back().size == DigitNetwork::kParameters);

}  // namespace

struct DigitNetwork::Module : torch::nn::Module {
  torch::nn::Conv2d conv1{torch::nn::Conv2dOptions(1, 1, 3)};
  torch::nn::Conv2d conv2{torch::nn::Conv2dOptions(1, 1, 3).stride(2)};
  torch::nn::Linear linear{kPool * kPool, kClasses};
  std::vector<at::Tensor> tensors;  // in the order of kTensors

  Module() {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("linear", linear);
    tensors = parameters();
  }

  at::Tensor forward(const at::Tensor& pictures) {
    const at::Tensor features = at::relu(conv2(at::relu(conv1(pictures))));
    return linear(at::adaptive_avg_pool2d(features, {kPool, kPool}).flatten(1));
  }

  void set_weights(std::span<const float> weights) {
    const at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      std::memcpy(tensors[i].mutable_data_ptr<float>(), weights.data() + kTensors[i].offset,
                  kTensors[i].size * sizeof(float));
    }
  }
};

namespace {

/// The chosen images as [n, 1, 28, 28] and their labels as [n].
struct Batch {
  at::Tensor pictures;
  at::Tensor labels;
};

Batch load(const LabelledImages& images, std::span<const int> indices) {
  const auto n = static_cast<std::int64_t>(indices.size());
  Batch batch{at::empty({n, 1, kSide, kSide}, at::kFloat), at::empty({n}, at::kLong)};
  auto* picture = batch.pictures.mutable_data_ptr<float>();
  auto* label = batch.labels.mutable_data_ptr<std::int64_t>();
  constexpr std::size_t kPixels = kSide * kSide;
  for (const int index : indices) {
    const auto i = static_cast<std::size_t>(index);
    const auto pixels = std::span(images.pixels).subspan(i * kPixels, kPixels);
    picture = std::transform(pixels.begin(), pixels.end(), picture, [](std::uint8_t value) {
      return static_cast<float>(value) * kInputScale;
    });
    *label++ = images.labels[i];
  }
  return batch;
}

}  // namespace

std::span<const TensorSpec> DigitNetwork::tensors() {
  return kTensors;
}

std::vector<float> DigitNetwork::initial_weights(Rng rng) {
  std::vector<float> weights(kParameters, 0.0F);
  const auto noise = [&rng](double bound) {
    return static_cast<float>((2.0 * rng.uniform() - 1.0) * bound);
  };
  constexpr std::size_t kTaps = 9;
  for (std::size_t tap = 0; tap < kTaps; ++tap) {
    const float centre = tap == kTaps / 2 ? 1.0F : 0.0F;
    weights[kTensors[0].offset + tap] = centre + noise(0.05);
    weights[kTensors[2].offset + tap] = centre + noise(0.05);
  }
  for (std::size_t i = 0; i < kTensors[4].size; ++i) {
    weights[kTensors[4].offset + i] = noise(0.05);
  }
  return weights;
}

DigitNetwork::DigitNetwork() : module_(std::make_unique<Module>()) {
  // Ranks of one process share its cores, and a sum over one thread has one order.
  at::set_num_threads(1);
}
DigitNetwork::~DigitNetwork() = default;

double DigitNetwork::loss_and_gradient(std::span<const float> weights,
                                       const LabelledImages& images,
                                       std::span<const int> batch,
                                       std::span<float> gradient) {
  assert(weights.size() == kParameters && gradient.size() == kParameters && !batch.empty());
  assert(images.rows == kSide && images.columns == kSide);
  module_->set_weights(weights);
  const Batch loaded = load(images, batch);
  const at::Tensor loss = at::cross_entropy_loss(module_->forward(loaded.pictures), loaded.labels);
  const auto gradients = torch::autograd::grad({loss}, module_->tensors);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    std::memcpy(gradient.data() + kTensors[i].offset,
                gradients[i].contiguous().const_data_ptr<float>(),
                kTensors[i].size * sizeof(float));
  }
  return loss.item<double>();
}

int DigitNetwork::count_correct(std::span<const float> weights, const LabelledImages& images) {
  const at::NoGradGuard no_grad;
  module_->set_weights(weights);
  std::int64_t n_correct = 0;
  std::vector<int> indices;
  for (int begin = 0; begin < images.n_images; begin += kEvaluationBatch) {
    indices.resize(static_cast<std::size_t>(std::min(kEvaluationBatch, images.n_images - begin)));
    std::iota(indices.begin(), indices.end(), begin);
    const Batch batch = load(images, indices);
    const at::Tensor predicted = module_->forward(batch.pictures).argmax(1);
    n_correct += predicted.eq(batch.labels).sum().item<std::int64_t>();
  }
  return static_cast<int>(n_correct);
}

}  // namespace wccl::train
