#include "mjpeg_server.h"

#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>
#include <turbojpeg.h>

namespace wccl::device {

std::string grey_jpeg(int width, int height, int level) {
  const std::vector<std::uint8_t> pixels(
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3,
      static_cast<std::uint8_t>(level));
  tjhandle handle = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long n_bytes = 0;
  tjCompress2(handle, pixels.data(), width, 0, height, TJPF_RGB, &bytes, &n_bytes, TJSAMP_420, 95,
              0);
  std::string jpeg(reinterpret_cast<const char*>(bytes), n_bytes);
  tjFree(bytes);
  tjDestroy(handle);
  return jpeg;
}

MjpegServer::MjpegServer(int port) {
  server_.Get("/video", [this](const httplib::Request&, httplib::Response& response) {
    {
      const std::lock_guard lock(mutex_);
      ++n_viewers_;
    }
    response.set_content_provider(
        "multipart/x-mixed-replace; boundary=part",
        [this, sent = std::make_shared<std::size_t>(0)](std::size_t, httplib::DataSink& sink) {
          return send_next(sink, *sent);
        });
  });
  // Whatever was sent before the connection broke must not keep the port.
  port_ = port == 0 ? server_.bind_to_any_port("127.0.0.1") : port;
  if (port != 0 && !server_.bind_to_port("127.0.0.1", port)) {
    throw std::runtime_error("the port is taken");
  }
  thread_ = std::thread([this] { server_.listen_after_bind(); });
}

MjpegServer::~MjpegServer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  server_.stop();
  thread_.join();
}

std::string MjpegServer::url() const {
  return fmt::format("http://127.0.0.1:{}/video", port_);
}

int MjpegServer::n_viewers() const {
  const std::lock_guard lock(mutex_);
  return n_viewers_;
}

void MjpegServer::push(std::string jpeg) {
  {
    const std::lock_guard lock(mutex_);
    pictures_.push_back(std::move(jpeg));
  }
  changed_.notify_all();
}

bool MjpegServer::send_next(httplib::DataSink& sink, std::size_t& sent) {
  std::string part;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stop_ || sent < pictures_.size(); });
    if (stop_) {
      return false;
    }
    const std::string& jpeg = pictures_[sent++];
    part = fmt::format("--part\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n{}\r\n",
                       jpeg.size(), jpeg);
  }
  return sink.write(part.data(), part.size());
}

}  // namespace wccl::device
