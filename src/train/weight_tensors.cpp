#include "train/weight_tensors.h"

#include <algorithm>
#include <cstddef>

#include "train/digit_network.h"

namespace wccl::train {

std::vector<NamedTensor> weight_tensors(std::span<const float> weights) {
  std::vector<NamedTensor> tensors;
  for (const TensorSpec& spec : DigitNetwork::tensors()) {
    const auto values = weights.subspan(spec.offset, spec.size);
    tensors.push_back({std::string(spec.name),
                       {spec.shape.begin(), spec.shape.begin() + spec.n_dimensions},
                       {values.begin(), values.end()}});
  }
  return tensors;
}

std::optional<std::vector<float>> take_weights(std::map<std::string, std::vector<float>>& tensors) {
  std::vector<float> weights(DigitNetwork::kParameters);
  for (const TensorSpec& spec : DigitNetwork::tensors()) {
    const auto node = tensors.extract(std::string(spec.name));
    if (node.empty() || node.mapped().size() != spec.size) {
      return std::nullopt;
    }
    std::ranges::copy(node.mapped(), weights.begin() + static_cast<std::ptrdiff_t>(spec.offset));
  }
  return weights;
}

}  // namespace wccl::train
