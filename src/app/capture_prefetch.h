#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "wccl/result.h"

#include "base/image.h"
#include "device/capture_source.h"

namespace wccl::app {

/// Reads and decompresses pictures ahead, on a thread of its own, while the receiver works.
class CapturePrefetch {
 public:
  explicit CapturePrefetch(std::unique_ptr<device::CaptureSource> source);
  ~CapturePrefetch();
  CapturePrefetch(const CapturePrefetch&) = delete;
  CapturePrefetch& operator=(const CapturePrefetch&) = delete;

  /// As CaptureSource::next().
  [[nodiscard]] std::optional<Result<YuvImage>> next();
  [[nodiscard]] std::optional<std::size_t> count() const { return count_; }

 private:
  void read_ahead();

  std::unique_ptr<device::CaptureSource> source_;
  std::optional<std::size_t> count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::optional<Result<YuvImage>>> queue_;
  bool stop_ = false;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace wccl::app
