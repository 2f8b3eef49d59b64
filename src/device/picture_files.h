#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "device/capture_source.h"

namespace wccl::device {

/// Picture files, in the order given.
class PictureFiles final : public CaptureSource {
 public:
  explicit PictureFiles(std::vector<std::filesystem::path> paths) : paths_(std::move(paths)) {}

  std::optional<Result<YuvImage>> next() override;
  [[nodiscard]] std::optional<std::size_t> count() const override { return paths_.size(); }

 private:
  std::vector<std::filesystem::path> paths_;
  std::size_t next_ = 0;
};

}  // namespace wccl::device
