#include "device/pipe.h"

#include <cerrno>
#include <memory>
#include <utility>

#include <poll.h>

namespace wccl::device {
namespace {

// A blocking read would wait for ever, and no signal to another thread wakes it.
constexpr int kSliceMs = 50;

}  // namespace

ReadBytes read_pipe(FileDescriptor pipe, std::function<bool()> is_cancelled) {
  auto owner = std::make_shared<const FileDescriptor>(std::move(pipe));
  return [owner, is_cancelled = std::move(is_cancelled)](std::span<std::byte> bytes) {
    while (!is_cancelled || !is_cancelled()) {
      pollfd input{owner->number(), POLLIN, 0};
      if (::poll(&input, 1, kSliceMs) <= 0) {  // nothing yet, or a signal
        continue;
      }
      const auto n = ::read(owner->number(), bytes.data(), bytes.size());
      if (n >= 0) {
        return static_cast<std::size_t>(n);
      }
      if (errno != EINTR && errno != EAGAIN) {
        break;
      }
    }
    return std::size_t{0};
  };
}

std::vector<std::byte> read_start(const ReadBytes& read, std::size_t n) {
  std::vector<std::byte> start(n);
  std::size_t got = 0;
  while (got < n) {
    const std::size_t more = read(std::span(start).subspan(got));
    if (more == 0) {
      break;
    }
    got += more;
  }
  start.resize(got);
  return start;
}

}  // namespace wccl::device
