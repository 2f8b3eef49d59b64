#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "wccl/result.h"

#include "base/image.h"

namespace wccl::app {

/// Reads the frames of an encoded folder ahead, again and again, on a thread of its own.
class FramePrefetch {
 public:
  /// @param times  That all frames are wanted; 0: without end.
  FramePrefetch(std::filesystem::path folder, std::size_t n_frames, int times);
  ~FramePrefetch();
  FramePrefetch(const FramePrefetch&) = delete;
  FramePrefetch& operator=(const FramePrefetch&) = delete;

  enum class State { kReady, kLate, kEnd };
  struct Next {
    State state = State::kEnd;
    Result<RgbImage> frame;
  };
  /// Never waits: kLate while the disk is slower than the screen.
  [[nodiscard]] Next next();
  /// Waits until there is one, or the end.
  void wait();

 private:
  void read_ahead();

  std::filesystem::path folder_;
  std::size_t n_frames_;
  int times_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Result<RgbImage>> queue_;
  bool at_end_ = false;
  bool stop_ = false;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace wccl::app
