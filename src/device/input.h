#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wccl/result.h"

#include "device/ffmpeg.h"
#include "device/x_display_watch.h"

namespace wccl::device {

/// What FFmpeg is told to open.
struct InputRecipe {
  std::string name;    ///< What messages call it.
  std::string url;     ///< What FFmpeg calls it.
  std::string format;  ///< "x11grab"; empty: it finds out.
  std::vector<std::pair<std::string, std::string>> options;
  bool is_device = false;  ///< Hands pictures out when it has some, and says at once what they are.
  bool is_file = false;    ///< All there at once; ends.
};

/// Something with pictures in it that FFmpeg has opened. Nothing here blocks for ever: a device is
/// asked without waiting, a network has a deadline, and both give way when `stop` is set.
class Input {
 public:
  /// Pictures that do not come for so long are an error.
  static constexpr std::chrono::seconds kSilence{5};

  /// @param stop  Borrowed. Set by another thread: everything ends soon.
  /// @return kNotFound, kIo or kCorrupt in a line that says what to do.
  [[nodiscard]] static Result<std::unique_ptr<Input>> open(const InputRecipe& recipe,
                                                           const std::atomic<bool>& stop);

  /// Waits for the next packet of the pictures. @return 0 or FFmpeg's error; AVERROR_EOF at the
  /// end.
  [[nodiscard]] int read(AVPacket& packet);

  [[nodiscard]] const AVStream& stream() const { return *format_->streams[stream_]; }
  /// Whether its packets bear the time at which they were made, by some clock.
  [[nodiscard]] bool has_stamps() const;
  /// Whether it ends, as a file on a web server does.
  [[nodiscard]] bool is_file() const { return is_file_ || format_->duration > 0; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Disconnect {
    void operator()(AVIOContext* connection) const { avio_close(connection); }
  };

  Input(const InputRecipe& recipe, const std::atomic<bool>& stop);
  [[nodiscard]] int open_format(const InputRecipe& recipe);
  [[nodiscard]] int connect(const InputRecipe& recipe, AVDictionary** options);
  [[nodiscard]] bool gives_single_pictures() const;
  [[nodiscard]] int find_pictures();
  [[nodiscard]] bool must_end() const { return stop_ || Clock::now() > deadline_; }
  static int asks_to_end(void* input);
  [[nodiscard]] AVIOInterruptCB interrupt() { return {asks_to_end, this}; }

  const std::atomic<bool>& stop_;
  Clock::time_point deadline_;
  bool is_device_;
  bool is_file_;
  std::optional<XDisplayWatch> display_;                 ///< When that is what is seen.
  std::unique_ptr<AVIOContext, Disconnect> connection_;  ///< Of the web; goes after format_.
  FfmpegOwner<AVFormatContext> format_;
  unsigned stream_ = 0;
};

}  // namespace wccl::device
