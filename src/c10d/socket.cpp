#include "c10d/socket.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace wccl::c10d {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

std::string to_string(const Endpoint& endpoint) {
  return fmt::format("{}:{}", endpoint.host, endpoint.port);
}

std::string last_error() {
  return std::generic_category().message(errno);
}

Result<Addresses> resolve(const Endpoint& endpoint, int socket_type) {
  addrinfo hints{};
  hints.ai_socktype = socket_type;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(endpoint.port);
  const int problem = getaddrinfo(endpoint.host.c_str(), port.c_str(), &hints, &found);
  if (problem != 0) {
    return fail(ErrorCode::kNotFound,
                fmt::format("no address for host '{}': {}", endpoint.host, gai_strerror(problem)));
  }
  return Addresses(found, &freeaddrinfo);
}

Socket open_for(const addrinfo& address) {
  return Socket(socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC, address.ai_protocol));
}

bool try_connect(const Addresses& addresses) {
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    const Socket candidate = open_for(*address);
    if (connect(candidate.get(), address->ai_addr, address->ai_addrlen) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

Socket::~Socket() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Result<Socket> listen_on(const Endpoint& endpoint) {
  const auto addresses = resolve(endpoint, SOCK_STREAM);
  if (!addresses) {
    return tl::make_unexpected(addresses.error());
  }
  const addrinfo& address = **addresses;
  Socket listener = open_for(address);
  // A run may start again at once, without waiting for the kernel to forget the last one.
  const int on = 1;
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(listener.get(), address.ai_addr, address.ai_addrlen) != 0 ||
      listen(listener.get(), SOMAXCONN) != 0) {
    const std::string reason =
        errno == EADDRNOTAVAIL
            ? "that is no address of this machine; rank 0 must run on the master host"
        : errno == EADDRINUSE ? "the port is busy; choose another one"
                              : last_error();
    return fail(ErrorCode::kIo,
                fmt::format("cannot listen on {}: {}", to_string(endpoint), reason));
  }
  return listener;
}

Status wait_for_listener(const Endpoint& endpoint, Duration timeout) {
  constexpr auto kRetry = std::chrono::milliseconds(50);
  const auto addresses = resolve(endpoint, SOCK_STREAM);
  if (!addresses) {
    return tl::make_unexpected(addresses.error());
  }
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!try_connect(*addresses)) {
    if (std::chrono::steady_clock::now() + kRetry > deadline) {
      return fail(ErrorCode::kTimeout,
                  fmt::format("nobody answers at {} within {} s; start rank 0 there",
                              to_string(endpoint), to_seconds(timeout)));
    }
    std::this_thread::sleep_for(kRetry);
  }
  return {};
}

Result<std::string> local_address_towards(const Endpoint& endpoint) {
  // Connecting a datagram socket sends nothing; it makes the kernel choose the interface.
  const auto addresses = resolve(endpoint, SOCK_DGRAM);
  if (!addresses) {
    return tl::make_unexpected(addresses.error());
  }
  const Socket probe = open_for(**addresses);
  sockaddr_storage local{};
  socklen_t length = sizeof(local);
  auto* const address = reinterpret_cast<sockaddr*>(&local);
  char name[NI_MAXHOST] = {};
  if (connect(probe.get(), (*addresses)->ai_addr, (*addresses)->ai_addrlen) != 0 ||
      getsockname(probe.get(), address, &length) != 0 ||
      getnameinfo(address, length, name, sizeof(name), nullptr, 0, NI_NUMERICHOST) != 0) {
    return fail(ErrorCode::kIo, fmt::format("no way to {}: {}", endpoint.host, last_error()));
  }
  return std::string(name);
}

}  // namespace wccl::c10d
