#include "app/network_usage.h"

#ifdef __linux__
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#endif

namespace wccl::app {

#ifdef __linux__
namespace {

std::optional<int> socket_option(int socket, int name) {
  int value = 0;
  socklen_t size = sizeof(value);
  if (getsockopt(socket, SOL_SOCKET, name, &value, &size) != 0) {
    return std::nullopt;
  }
  return value;
}

/// @return nothing when the kernel is too old to count (before 4.1).
std::optional<std::uint64_t> tcp_bytes(int socket) {
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    return std::nullopt;
  }
  constexpr std::size_t kNeeded =
      offsetof(tcp_info, tcpi_bytes_received) + sizeof(info.tcpi_bytes_received);
  if (size < kNeeded) {
    return std::nullopt;
  }
  return info.tcpi_bytes_acked + info.tcpi_bytes_received;
}

/// @return the number that a name in /proc/self/fd spells.
std::optional<int> descriptor_of(const std::filesystem::directory_entry& entry) {
  const std::string name = entry.path().filename();
  int descriptor = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), descriptor);
  if (error != std::errc() || end != name.data() + name.size()) {
    return std::nullopt;
  }
  return descriptor;
}

}  // namespace

void NetworkUsage::sample() {
  std::error_code error;
  std::filesystem::directory_iterator entries("/proc/self/fd", error);
  if (error) {
    countable_ = false;
  }
  for (; entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    if (error) {
      break;
    }
    const auto descriptor = descriptor_of(*entries);
    struct stat status{};
    if (!descriptor || fstat(*descriptor, &status) != 0 || !S_ISSOCK(status.st_mode)) {
      continue;
    }
    const auto domain = socket_option(*descriptor, SO_DOMAIN);
    if (!domain || (*domain != AF_INET && *domain != AF_INET6)) {
      continue;
    }
    if (socket_option(*descriptor, SO_ACCEPTCONN).value_or(0) != 0) {
      continue;  // Listens: carries nothing itself.
    }
    std::optional<std::uint64_t> bytes;
    if (socket_option(*descriptor, SO_PROTOCOL) == IPPROTO_TCP) {
      bytes = tcp_bytes(*descriptor);
    }
    if (!bytes) {
      countable_ = false;
      continue;
    }
    auto& seen = bytes_of_socket_[status.st_ino];
    seen = std::max(seen, *bytes);
  }
}

std::optional<std::uint64_t> NetworkUsage::bytes() const {
  if (!countable_) {
    return std::nullopt;
  }
  std::uint64_t sum = 0;
  for (const auto& [inode, bytes] : bytes_of_socket_) {
    sum += bytes;
  }
  return sum;
}

#else

void NetworkUsage::sample() {
  countable_ = false;
}

std::optional<std::uint64_t> NetworkUsage::bytes() const {
  return std::nullopt;
}

#endif

}  // namespace wccl::app
