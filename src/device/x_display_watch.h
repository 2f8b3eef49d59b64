#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <sys/types.h>

namespace wccl::device {

/// Notices when an X server of this machine has ended: FFmpeg's x11grab does not, and goes on
/// giving its last pictures.
class XDisplayWatch {
 public:
  /// @param display  ":7.0". One on another machine counts as there for ever.
  explicit XDisplayWatch(const std::string& display);

  /// Asks at most once a second. @return whether the server of the beginning still listens.
  [[nodiscard]] bool is_there();

 private:
  [[nodiscard]] bool listens() const;

  std::string socket_;
  std::optional<ino_t> inode_;  ///< A server that is started again makes another socket.
  std::chrono::steady_clock::time_point next_look_;
  bool is_there_ = true;
};

}  // namespace wccl::device
