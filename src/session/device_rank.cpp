#include "session/device_rank.h"

namespace wccl::session {

DeviceRank::DeviceRank(RealTimeDriver& driver, link::Node& node, Duration timeout)
    : driver_(driver), node_(node), lock_(driver.lock()), transport_(*this, timeout) {
  lock_.unlock();
}

void DeviceRank::visit(const std::function<void(link::Node&)>& look) {
  const Hold hold(*this);
  look(node_);
}

Result<bool> DeviceRank::wait(const std::function<bool()>& ready, Instant deadline) {
  const Hold hold(*this);
  return driver_.wait(lock_, ready, deadline);
}

bool DeviceRank::take_leave() {
  const Hold hold(*this);
  return driver_.take_leave(lock_);
}

DeviceRank::Hold::Hold(DeviceRank& self) : self_(self), outer_(!self.lock_.owns_lock()) {
  if (outer_) {
    self_.lock_.lock();
  }
}

DeviceRank::Hold::~Hold() {
  if (outer_) {
    self_.lock_.unlock();
  }
}

DeviceRank::SharedTransport::SharedTransport(DeviceRank& self, Duration timeout)
    : self_(self), link_(self.node_, self, timeout) {}

Status DeviceRank::SharedTransport::send(std::span<const Rank> to,
                                         Tag tag,
                                         std::span<const std::byte> message) {
  const Hold hold(self_);
  return link_.send(to, tag, message);
}

std::optional<Bytes> DeviceRank::SharedTransport::try_receive(Rank from, Tag tag) {
  const Hold hold(self_);
  return link_.try_receive(from, tag);
}

Result<Bytes> DeviceRank::SharedTransport::receive(Rank from, Tag tag) {
  const Hold hold(self_);
  return link_.receive(from, tag);
}

Status DeviceRank::SharedTransport::flush() {
  const Hold hold(self_);
  return link_.flush();
}

}  // namespace wccl::session
