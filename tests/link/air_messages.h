#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "link/endpoint.h"
#include "simulated_air.h"

namespace wccl::link {

inline constexpr phy::ModeId kFast = 2;

inline NodeOptions fixed_mode(phy::ModeId mode) {
  NodeOptions options;
  options.mode = mode;
  options.hold_refreshes = 4;
  return options;
}

inline void send(
    SimulatedAir& air, Rank from, std::vector<Rank> to, Tag tag, const Bytes& message) {
  ASSERT_TRUE(air.node(from).send(to, tag, message).has_value());
}

/// Runs until `to` has the message. @return its bytes, or nothing when the limit has passed.
inline std::optional<Bytes> receive(
    SimulatedAir& air, Rank to, Rank from, Tag tag, Duration limit) {
  std::optional<Bytes> message;
  air.run_until(
      [&] {
        if (!message) {
          message = air.node(to).try_receive(from, tag);
        }
        return message.has_value();
      },
      limit);
  return message;
}

/// The frame that comes when the one on the screen has been there for long enough.
inline std::optional<OutgoingFrame> next_frame(SimulatedAir& air, Rank rank) {
  std::optional<OutgoingFrame> frame;
  for (int refresh = 0; refresh < 5 && !frame; ++refresh) {
    frame = air.node(rank).next_frame(air.now() + std::chrono::seconds(1));
  }
  return frame;
}

}  // namespace wccl::link
