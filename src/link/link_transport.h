#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "wccl/transport.h"

#include "base/clock.h"
#include "link/node.h"

namespace wccl::link {

/// How a rank's blocking program waits for its node; each driver (room, devices) has its own.
class Waiter {
 public:
  virtual ~Waiter() = default;
  Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  [[nodiscard]] virtual Instant now() = 0;
  /// Blocks until `ready` holds or `deadline` has passed. `ready` is called whenever the node may
  /// have changed, never while the node is in use elsewhere.
  /// @return whether `ready` held, or kCancelled when the session is being torn down.
  virtual Result<bool> wait(const std::function<bool()>& ready, Instant deadline) = 0;
};

/// A Node as a Transport. Blocking operations fail with the name of the rank that did not answer,
/// or that has left, and why.
class LinkTransport final : public Transport {
 public:
  /// @param timeout  How long a rank that is waited for may bring nothing new.
  LinkTransport(Node& node, Waiter& waiter, Duration timeout);

  [[nodiscard]] Rank rank() const override;
  [[nodiscard]] int world_size() const override;
  Status send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) override;
  std::optional<Bytes> try_receive(Rank from, Tag tag) override;
  Result<Bytes> receive(Rank from, Tag tag) override;
  Status flush() override;

 private:
  /// Blocks until `done`, as long as the `pending` ranks make progress within each timeout and none
  /// of them has left.
  Status wait_for(const std::function<bool()>& done,
                  const std::function<std::span<const Rank>()>& pending);
  [[nodiscard]] std::optional<Departure> departure_of(std::span<const Rank> ranks) const;
  [[nodiscard]] std::uint64_t progress_of(std::span<const Rank> ranks) const;

  Node& node_;
  Waiter& waiter_;
  Duration timeout_;
};

}  // namespace wccl::link
