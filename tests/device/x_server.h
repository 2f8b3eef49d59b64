#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

namespace wccl::device {

/// An X server of the test's own (Xvfb), without a panel; DISPLAY names it while it lives.
class XServer {
 public:
  /// @return null where Xvfb is not installed.
  [[nodiscard]] static std::unique_ptr<XServer> start(int width, int height);
  ~XServer();
  XServer(const XServer&) = delete;
  XServer& operator=(const XServer&) = delete;

  /// ":7"
  [[nodiscard]] const std::string& display() const { return display_; }

 private:
  XServer(pid_t process, std::string display) : process_(process), display_(std::move(display)) {}

  pid_t process_;
  std::string display_;
};

}  // namespace wccl::device
