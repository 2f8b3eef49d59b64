#pragma once

#include <functional>
#include <optional>
#include <span>

#include "link/link_transport.h"
#include "link/node.h"
#include "session/rank_context.h"
#include "session/real_time_driver.h"

namespace wccl::session {

/// A rank whose node lives on a real screen and camera. Like every transport it belongs to one
/// thread, the program's; what it shares with the driver's other threads is taken under the
/// driver's lock.
class DeviceRank final : public RankContext {
 public:
  /// @param driver, node  Borrowed.
  /// @param timeout       How long a rank that is waited for may bring nothing new.
  DeviceRank(RealTimeDriver& driver, link::Node& node, Duration timeout);

  void visit(const std::function<void(link::Node&)>& look) override;
  [[nodiscard]] Transport& transport() override { return transport_; }
  Status charge(Duration /*duration*/) override { return {}; }
  [[nodiscard]] Instant now() override { return driver_.now(); }
  Result<bool> wait(const std::function<bool()>& ready, Instant deadline) override;
  bool take_leave() override;

 private:
  /// LinkTransport, with the node held for each call and let go while it waits.
  class SharedTransport final : public Transport {
   public:
    SharedTransport(DeviceRank& self, Duration timeout);

    [[nodiscard]] Rank rank() const override { return link_.rank(); }
    [[nodiscard]] int world_size() const override { return link_.world_size(); }
    Status send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) override;
    std::optional<Bytes> try_receive(Rank from, Tag tag) override;
    Result<Bytes> receive(Rank from, Tag tag) override;
    Status flush() override;

   private:
    DeviceRank& self_;
    link::LinkTransport link_;
  };

  /// Takes the lock, unless this thread has it already: a wait inside a transport's call.
  class Hold {
   public:
    explicit Hold(DeviceRank& self);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    DeviceRank& self_;
    bool outer_;
  };

  RealTimeDriver& driver_;
  link::Node& node_;
  RealTimeDriver::Lock lock_;  ///< Held within a Hold.
  SharedTransport transport_;
};

}  // namespace wccl::session
