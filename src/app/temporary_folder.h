#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "wccl/result.h"

namespace wccl::app {

/// A new folder that goes when it does.
class TemporaryFolder {
 public:
  [[nodiscard]] static Result<TemporaryFolder> create() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "wccl-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) {
      return fail(ErrorCode::kIo, "cannot make a temporary folder; --out names one to use");
    }
    return TemporaryFolder(name);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) {
      std::filesystem::remove_all(path_, ignored);
    }
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace wccl::app
