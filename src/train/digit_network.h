#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "train/dataset.h"

namespace wccl::train {

/// One tensor of a network: `size` floats of the flat parameters from `offset` on.
struct TensorSpec {
  std::string_view name;  ///< As PyTorch's state_dict() would call it.
  std::array<int, 4> shape;
  int n_dimensions;
  std::size_t offset;
  std::size_t size;
};

/// The original's 670-parameter network for 28 x 28 digits: conv 1->1 3x3; conv 1->1 3x3 stride 2;
/// average pool to 8x8; linear 64->10; a ReLU after each convolution.
///
/// A LibTorch module with its parameters copied in and its gradients copied out, because the
/// strategies work on one flat vector. One object a thread.
class DigitNetwork {
 public:
  static constexpr std::size_t kParameters = 670;
  /// Multiply-adds of one image forward, counted twice each; backward is about twice that again.
  static constexpr double kForwardFlops = 2.0 * (26 * 26 * 9 + 12 * 12 * 9 + 64 * 4 + 64 * 10);

  /// conv1.weight, conv1.bias, conv2.weight, conv2.bias, linear.weight, linear.bias.
  [[nodiscard]] static std::span<const TensorSpec> tensors();

  /// First weights that cannot die: both kernels pass the picture on (centre tap 1, small noise
  /// round it), so that every ReLU starts open. Only exact operations, so that a seed gives the
  /// same weights everywhere.
  [[nodiscard]] static std::vector<float> initial_weights(Rng rng);

  DigitNetwork();
  ~DigitNetwork();
  DigitNetwork(const DigitNetwork&) = delete;
  DigitNetwork& operator=(const DigitNetwork&) = delete;

  /// Mean cross-entropy of a batch and its gradient.
  /// @param weights   [kParameters]
  /// @param batch     Indices into `images`; at least one.
  /// @param gradient  [kParameters], overwritten.
  /// @return the mean loss.
  double loss_and_gradient(std::span<const float> weights,
                           const LabelledImages& images,
                           std::span<const int> batch,
                           std::span<float> gradient);

  /// How many of all `images` the network names rightly.
  [[nodiscard]] int count_correct(std::span<const float> weights, const LabelledImages& images);

 private:
  struct Module;
  std::unique_ptr<Module> module_;
};

}  // namespace wccl::train
