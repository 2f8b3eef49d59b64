#include "device/x_display_watch.h"

#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "device/file_descriptor.h"

namespace wccl::device {
namespace {

constexpr std::chrono::seconds kPause{1};

std::optional<ino_t> inode_of(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return status.st_ino;
}

}  // namespace

XDisplayWatch::XDisplayWatch(const std::string& display) {
  if (display.starts_with(':')) {
    socket_ = "/tmp/.X11-unix/X" + display.substr(1, display.find('.') - 1);
    inode_ = inode_of(socket_);
  }
}

bool XDisplayWatch::listens() const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() >= sizeof(address.sun_path)) {
    return true;
  }
  std::memcpy(address.sun_path, socket_.c_str(), socket_.size() + 1);
  const FileDescriptor connection(socket(AF_UNIX, SOCK_STREAM, 0));
  if (!connection.is_open() || fcntl(connection.number(), F_SETFL, O_NONBLOCK) != 0) {
    return true;
  }
  // A server that is stopped lets callers wait (EAGAIN): it is there.
  return connect(connection.number(), reinterpret_cast<const sockaddr*>(&address),
                 sizeof(address)) == 0 ||
         errno == EAGAIN;
}

bool XDisplayWatch::is_there() {
  const auto now = std::chrono::steady_clock::now();
  if (inode_ && now >= next_look_) {
    next_look_ = now + kPause;
    is_there_ = inode_of(socket_) == inode_ && listens();
  }
  return is_there_;
}

}  // namespace wccl::device
