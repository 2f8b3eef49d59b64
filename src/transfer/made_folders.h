#pragma once

#include <filesystem>
#include <utility>
#include <vector>

namespace wccl::transfer {

/// A folder for what may come, with those above it. What it made and is still empty when it goes,
/// goes, too.
class MadeFolders {
 public:
  /// Whether it is there in the end shows whoever opens it.
  explicit MadeFolders(const std::filesystem::path& folder);
  ~MadeFolders();
  MadeFolders(MadeFolders&& other) noexcept : made_(std::exchange(other.made_, {})) {}
  MadeFolders& operator=(MadeFolders&& other) noexcept {
    std::swap(made_, other.made_);
    return *this;
  }

 private:
  std::vector<std::filesystem::path> made_;  ///< The deepest first.
};

}  // namespace wccl::transfer
