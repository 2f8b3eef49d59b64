#pragma once

#include <functional>

#include "wccl/result.h"

#include "link/link_transport.h"

namespace wccl::transfer {

/// Runs a Sender or a Receiver to its end, as a rank's program does.
/// @param on_step  Called after each step; may be empty.
template <class End>
Status run(End& end, link::Waiter& waiter, const std::function<void()>& on_step = {}) {
  while (true) {
    const auto done = end.step(waiter.now());
    if (!done) {
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
