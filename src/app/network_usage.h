#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace wccl::app {

/// Counts what this process has sent and received over the network, by asking the kernel about each
/// of its open sockets (Linux: TCP_INFO). Sockets that were closed keep what was last seen of them,
/// so sample before they close. Local sockets (AF_UNIX, netlink) are no network.
class NetworkUsage {
 public:
  /// Looks at all sockets that are open now.
  void sample();
  /// Payload bytes sent and acknowledged plus bytes received, over all sockets ever sampled.
  /// @return nothing where it cannot be counted: another system than Linux, or a socket that is not
  /// TCP.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;

 private:
  std::map<std::uint64_t, std::uint64_t>
      bytes_of_socket_;  ///< By inode, which outlives the descriptor's number.
  bool countable_ = true;
};

}  // namespace wccl::app
