#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "train/dataset.h"

namespace wccl::train {

/// A set like MNIST that a test can make at once: each digit is a blob at a place of its own, moved
/// by a pixel or two, in noise. Easy to learn, impossible to guess.
[[nodiscard]] Mnist make_digits(int n_train, int n_test, std::uint64_t seed);

/// The same with one test label that is wrong, so that no run reaches a target of 1 by learning
/// well.
[[nodiscard]] Mnist make_unlearnable_digits(int n_train, int n_test, std::uint64_t seed);

/// The four IDX files of `mnist`.
void write_idx(const std::filesystem::path& folder, const Mnist& mnist);

/// The real MNIST where ./test keeps it (WCCL_MNIST, or mnist/ in WCCL_HOME); nothing when it is
/// not there.
[[nodiscard]] std::optional<Mnist> real_mnist();

}  // namespace wccl::train
