#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "train/dataset.h"

namespace wccl::train {

/// A set like MNIST that a test can make at once: each digit is a blob at a place of its own, moved
/// by a pixel or two, in noise. Easy to learn, impossible to guess.
[[nodiscard]] Mnist make_digits(int n_train, int n_test, std::uint64_t seed);

/// The four IDX files of `mnist`.
void write_idx(const std::filesystem::path& folder, const Mnist& mnist);

/// The real MNIST where ./test keeps it (WCCL_MNIST, or mnist/ in WCCL_HOME); nothing when it is
/// not there.
[[nodiscard]] std::optional<Mnist> real_mnist();

/// A folder of one test, gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace wccl::train
