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
  LabelledImages train;  ///< 28 x 28; 60,000 in the original.
  LabelledImages test;   ///< 28 x 28; 10,000 in the original.
};

/// Reads the four IDX files of MNIST (LeCun et al.) from `folder`. Takes any number of images up to
/// a million, so that a subset can be tried; everything else must be as in MNIST.
/// @return kNotFound naming the missing file, kCorrupt naming a torn one.
[[nodiscard]] Result<Mnist> load_mnist(const std::filesystem::path& folder);

}  // namespace wccl::train
