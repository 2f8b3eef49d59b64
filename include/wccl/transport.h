#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wccl/result.h"

namespace wccl {

using Rank = int;
using Bytes = std::vector<std::byte>;

/// Names one message between two ranks. Both sides count, so that equal programs choose equal tags.
using Tag = std::uint32_t;

/// The seam between collectives and whatever carries their messages: light, or a loopback in tests.
///
/// Messages arrive whole, verified and once, or not at all. Between two ranks they may overtake one
/// another; the tag tells them apart. One thread per transport: it is not thread-safe.
class Transport {
 public:
  virtual ~Transport() = default;
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual int world_size() const = 0;
  /// All ranks but this one, in order.
  [[nodiscard]] std::vector<Rank> peers() const {
    std::vector<Rank> ranks;
    for (Rank peer = 0; peer < world_size(); ++peer) {
      if (peer != rank()) {
        ranks.push_back(peer);
      }
    }
    return ranks;
  }

  /// Queues `message` for every rank in `to` and returns at once. A screen is a broadcast: many
  /// receivers cost no more air time than one.
  /// @return kInvalidArgument when `to` holds this rank or one outside the world.
  virtual Status send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) = 0;

  /// The message of `from` with `tag` if it has come; the caller then owns it and it is gone here.
  virtual std::optional<Bytes> try_receive(Rank from, Tag tag) = 0;

  /// Blocks until the message of `from` with `tag` is here.
  /// @return kTimeout or kPeerLost naming the rank, and why it has left where it said so.
  virtual Result<Bytes> receive(Rank from, Tag tag) = 0;

  /// Blocks until every message sent so far has been acknowledged by all its receivers.
  virtual Status flush() = 0;
};

}  // namespace wccl
