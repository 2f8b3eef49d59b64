#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <httplib.h>

namespace wccl::device {

/// An even grey picture.
[[nodiscard]] std::string grey_jpeg(int width, int height, int level);

/// A camera on the web, as phones are: `/video` sends the pictures that push() gives, one part
/// each.
class MjpegServer {
 public:
  /// @param port  0: any free one.
  explicit MjpegServer(int port = 0);
  ~MjpegServer();

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string url() const;
  /// Connections that have been made so far.
  [[nodiscard]] int n_viewers() const;
  void push(std::string jpeg);

 private:
  bool send_next(httplib::DataSink& sink, std::size_t& sent);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> pictures_;
  int n_viewers_ = 0;
  bool stop_ = false;
  int port_ = 0;
  httplib::Server server_;
  std::thread thread_;
};

}  // namespace wccl::device
