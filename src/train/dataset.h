#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "wccl/result.h"

namespace wccl::train {

/// Images and labels of one IDX pair.
struct LabelledImages {
  int n_images = 0;
  int rows = 0;
  int columns = 0;
  std::vector<std::uint8_t> pixels;  ///< [n_images * rows * columns], 0 black.
  std::vector<std::uint8_t> labels;  ///< [n_images], 0 to 9.
};

struct Mnist {
  LabelledImages train;  ///< 60,000 of 28 x 28.
  LabelledImages test;   ///< 10,000 of 28 x 28.
};

/// Reads the four IDX files of MNIST (LeCun et al.) from `folder`.
/// @return kNotFound naming the missing file, kCorrupt naming a torn one.
[[nodiscard]] Result<Mnist> load_mnist(const std::filesystem::path& folder);

}  // namespace wccl::train
