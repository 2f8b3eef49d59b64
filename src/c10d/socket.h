#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "wccl/result.h"

#include "base/clock.h"

namespace wccl::c10d {

/// An open file descriptor, closed with it.
class Socket {
 public:
  explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}
  ~Socket();
  Socket(Socket&& other) noexcept : descriptor_(other.release()) {}
  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  [[nodiscard]] int get() const { return descriptor_; }
  /// Hands it to somebody who closes it.
  [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

struct Endpoint {
  std::string host;  ///< Name or address.
  std::uint16_t port = 0;
};

/// A TCP socket that listens on this address alone.
/// @return kIo when the port is taken or the address is not one of this machine, kNotFound for an
/// unknown name.
[[nodiscard]] Result<Socket> listen_on(const Endpoint& endpoint);

/// Tries until somebody accepts connections there.
/// @return kTimeout when nobody does.
[[nodiscard]] Status wait_for_listener(const Endpoint& endpoint, Duration timeout);

/// The numeric address of this machine on the way to `endpoint`: where the others can reach us.
[[nodiscard]] Result<std::string> local_address_towards(const Endpoint& endpoint);

}  // namespace wccl::c10d
