#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "transfer/channel.h"
#include "transfer/messages.h"

namespace wccl::transfer {

/// What peers have said and nobody has heard yet.
class ControlInbox {
 public:
  /// @param channel  Borrowed.
  explicit ControlInbox(Channel& channel) : channel_(channel) {}

  /// Takes in what has come. @return whether something waits.
  [[nodiscard]] bool collect();
  /// Hands over what waits, in order, until `hear` fails.
  /// @return its error, or that of a message that cannot be read, which names the rank.
  [[nodiscard]] Status take(const std::function<Status(Rank from, const Control&)>& hear);

 private:
  Channel& channel_;
  std::vector<std::pair<Rank, Bytes>> messages_;
};

}  // namespace wccl::transfer
