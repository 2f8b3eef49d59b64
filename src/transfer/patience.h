#pragma once

#include <cstdint>
#include <optional>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "base/clock.h"
#include "transfer/channel.h"

namespace wccl::transfer {

/// Waits for a peer as long as anything comes of it.
class Patience {
 public:
  explicit Patience(Duration timeout) : timeout_(timeout) {}

  /// @return kTimeout or kPeerLost, naming the rank, when it has been silent for too long.
  Status check(Channel& channel, Rank peer, Instant now);
  /// When it ends, unless something comes.
  [[nodiscard]] Instant end() const { return since_ ? *since_ + timeout_ : Instant::max(); }

 private:
  Duration timeout_;
  std::uint64_t progress_ = 0;
  std::optional<Instant> since_;
};

}  // namespace wccl::transfer
