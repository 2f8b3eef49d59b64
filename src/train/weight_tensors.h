#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "train/safetensors.h"

namespace wccl::train {

/// The flat weights as the network's tensors, with PyTorch's names and shapes.
[[nodiscard]] std::vector<NamedTensor> weight_tensors(std::span<const float> weights);

/// The inverse: moves the network's tensors out of `tensors`. @return nothing when one is missing
/// or of another size.
[[nodiscard]] std::optional<std::vector<float>> take_weights(
    std::map<std::string, std::vector<float>>& tensors);

}  // namespace wccl::train
