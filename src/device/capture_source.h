#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "base/image.h"

namespace wccl::device {

/// Camera pictures, one after another: files, a recording, a pipe.
class CaptureSource {
 public:
  virtual ~CaptureSource() = default;
  CaptureSource() = default;
  CaptureSource(const CaptureSource&) = delete;
  CaptureSource& operator=(const CaptureSource&) = delete;

  /// @return the next picture; an error for one that cannot be read, after which the next call goes
  /// on; nothing at the end.
  [[nodiscard]] virtual std::optional<Result<YuvImage>> next() = 0;
  /// How many there are, if that is known.
  [[nodiscard]] virtual std::optional<std::size_t> count() const { return std::nullopt; }
};

/// Opens what a user named: pictures (JPEG, PNG), folders of pictures, which are read in the order
/// of their names, recordings, or FIFOs of either, in the order given; or `-` alone, for stdin.
/// @param is_cancelled  Asked while nothing comes through a pipe, which true ends. May be empty.
/// @return kNotFound or kCorrupt naming the first one that is not there or nothing of the kind;
/// kCancelled.
[[nodiscard]] Result<std::unique_ptr<CaptureSource>> open_captures(
    std::span<const std::string> names, const std::function<bool()>& is_cancelled = {});

}  // namespace wccl::device
