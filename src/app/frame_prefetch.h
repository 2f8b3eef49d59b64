#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "wccl/result.h"

#include "base/image.h"

namespace wccl::app {

/// Reads or renders frames ahead, on a thread of its own.
class FramePrefetch {
 public:
  /// Called on that thread. @return the next frame; nothing at the end.
  using Source = std::function<std::optional<Result<RgbImage>>()>;
  explicit FramePrefetch(Source source);
  ~FramePrefetch();
  FramePrefetch(const FramePrefetch&) = delete;
  FramePrefetch& operator=(const FramePrefetch&) = delete;

  enum class State { kReady, kLate, kEnd };
  struct Next {
    State state = State::kEnd;
    Result<RgbImage> frame;
  };
  /// Never waits: kLate while the source is slower than the screen.
  [[nodiscard]] Next next();
  /// Waits until there is one, or the end.
  void wait();

 private:
  void read_ahead();

  Source source_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Result<RgbImage>> queue_;
  bool at_end_ = false;
  bool stop_ = false;
  std::thread thread_;  // last: it uses all the others
};

/// The frames of an encoded folder.
/// @param times  That all of them are wanted; 0: without end.
[[nodiscard]] FramePrefetch::Source frames_of_folder(std::filesystem::path folder,
                                                     std::size_t n_frames,
                                                     int times);

}  // namespace wccl::app
