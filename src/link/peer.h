#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "link/feedback.h"
#include "link/inbox.h"
#include "link/peer_view.h"

namespace wccl::link {

/// What an Endpoint knows of another laptop.
struct Peer {
  PeerView view;
  Inbox inbox;
  std::uint64_t blocks_ok = 0;
  std::uint64_t blocks_bad = 0;
  std::optional<std::uint16_t> acked_in;  ///< The peer's latest frame of which an ack was used.
  std::optional<Instant> data_at;         ///< When its latest message bytes came.
  std::optional<Instant> unlike_since;    ///< It is there for something else.

  [[nodiscard]] Activity activity() const { return unpack_feedback(view.feedback()).activity; }
};

}  // namespace wccl::link
