#pragma once

#include <functional>

#include "wccl/result.h"

#include "link/link_transport.h"
#include "transfer/channel.h"
#include "transfer/messages.h"

namespace wccl::transfer {

/// Tells the peers why this side ends, and waits a moment for them to hear it.
void tell(const std::vector<Rank>& peers,
          const Error& error,
          Channel& channel,
          link::Waiter& waiter);

/// Runs a Sender or a Receiver to its end, as a rank's program does.
/// @param on_step  Called after each step; may be empty.
template <class End>
Status run(End& end,
           Channel& channel,
           link::Waiter& waiter,
           const std::function<void()>& on_step = {}) {
  while (true) {
    const auto done = end.step(waiter.now());
    if (!done) {
      tell(end.peers(), done.error(), channel, waiter);
      return tl::make_unexpected(done.error());
    }
    if (on_step) {
      on_step();
    }
    if (*done) {
      return {};
    }
    const auto held = waiter.wait([&end] { return end.ready(); }, end.due());
    if (!held) {
      return tl::make_unexpected(held.error());
    }
  }
}

}  // namespace wccl::transfer
