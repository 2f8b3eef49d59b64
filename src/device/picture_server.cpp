#include "device/picture_server.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>

namespace wccl::device {
namespace {

/// A viewer holds a thread for as long as it looks.
constexpr std::size_t kMostViewers = 32;

/// How often a stream without pictures looks whether it should end.
constexpr Duration kPatience = std::chrono::milliseconds(200);

/// How long a viewer may stand still (a stopped process) before its stream ends.
constexpr std::time_t kWriteTimeoutS = 60;

/// Few, so that a slow viewer's pictures wait in the feed, where newer ones replace them, and not
/// in the kernel.
constexpr int kSendBufferBytes = 128 * 1024;

constexpr const char* kBoundary = "wccl-picture";

/// httplib's own options let a second program listen on the same port (SO_REUSEPORT).
void set_options(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kSendBufferBytes, sizeof kSendBufferBytes);
}

bool write(httplib::DataSink& sink, const void* data, std::size_t n_bytes) {
  return sink.write(static_cast<const char*>(data), n_bytes);
}

bool write_part(httplib::DataSink& sink, const PictureFeed::Picture& picture) {
  const std::string head =
      fmt::format("--{}\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n", kBoundary,
                  picture.jpeg->size());
  return write(sink, head.data(), head.size()) &&
         write(sink, picture.jpeg->data(), picture.jpeg->size()) && write(sink, "\r\n", 2);
}

}  // namespace

struct PictureServer::State {
  httplib::Server http;
  int port = 0;
  std::atomic<bool> stopping{false};
  std::thread thread;
};

PictureServer::PictureServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<PictureServer>> PictureServer::open(const std::string& host,
                                                           std::uint16_t port) {
  auto state = std::make_unique<State>();
  httplib::Server& http = state->http;
  http.set_socket_options(set_options);
  http.set_tcp_nodelay(true);
  http.set_write_timeout(kWriteTimeoutS);
  http.set_keep_alive_max_count(1);
  http.new_task_queue = [] { return new httplib::ThreadPool(kMostViewers); };
  state->port = port == 0 ? http.bind_to_any_port(host)
                          : (http.bind_to_port(host, port) ? static_cast<int>(port) : -1);
  if (state->port <= 0) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot listen on {}:{}; is another program listening there, or is the "
                            "address not this machine's?",
                            host, port));
  }
  return std::unique_ptr<PictureServer>(new PictureServer(std::move(state)));
}

PictureServer::~PictureServer() {
  state_->stopping = true;
  state_->http.stop();
  if (state_->thread.joinable()) {
    state_->thread.join();
  }
}

void PictureServer::add_camera(const std::string& prefix, const PictureFeed& feed) {
  const auto& stopping = state_->stopping;
  state_->http.Get(prefix + "/video", [&feed, &stopping](const auto&, httplib::Response& response) {
    auto stream = [&feed, &stopping, shown = std::uint64_t{0}](std::size_t,
                                                               httplib::DataSink& sink) mutable {
      if (stopping || feed.closed()) {
        return false;
      }
      const auto picture = feed.next(shown, kPatience);
      if (!picture) {
        return sink.is_writable();  // false: the viewer has left
      }
      shown = picture->number;
      return write_part(sink, *picture);
    };
    response.set_header("Cache-Control", "no-store");
    response.set_content_provider(fmt::format("multipart/x-mixed-replace; boundary={}", kBoundary),
                                  std::move(stream));
  });
  state_->http.Get(prefix + "/picture.jpg", [&feed](const auto&, httplib::Response& response) {
    const auto picture = feed.next(0, kPatience);
    if (!picture) {
      response.status = 503;
      response.set_content("no picture yet\n", "text/plain");
      return;
    }
    response.set_header("Cache-Control", "no-store");
    response.set_content(reinterpret_cast<const char*>(picture->jpeg->data()),
                         picture->jpeg->size(), "image/jpeg");
  });
}

void PictureServer::add_page(const std::string& path,
                             const std::string& content_type,
                             std::function<std::string()> make) {
  state_->http.Get(
      path, [content_type, make = std::move(make)](const auto&, httplib::Response& response) {
        response.set_header("Cache-Control", "no-store");
        response.set_content(make(), content_type);
      });
}

void PictureServer::add_switch(const std::string& path,
                               const std::string& after,
                               std::function<void(bool)> turn) {
  state_->http.Post(path, [after, turn = std::move(turn)](const httplib::Request& request,
                                                          httplib::Response& response) {
    const std::string value = request.get_param_value("on");
    if (value != "0" && value != "1") {
      response.status = 400;
      response.set_content("say ?on=1 or ?on=0\n", "text/plain");
      return;
    }
    turn(value == "1");
    response.set_redirect(after, 303);
  });
}

void PictureServer::start() {
  state_->thread = std::thread([this] { state_->http.listen_after_bind(); });
  // stop() does nothing before the thread has come that far.
  while (!state_->http.is_running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::uint16_t PictureServer::port() const {
  return static_cast<std::uint16_t>(state_->port);
}

}  // namespace wccl::device
