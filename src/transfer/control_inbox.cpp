#include "transfer/control_inbox.h"

#include <fmt/format.h>

namespace wccl::transfer {

bool ControlInbox::collect() {
  Transport& transport = channel_.transport();
  for (const Rank rank : transport.peers()) {
    while (auto message = transport.try_receive(rank, kControlTag)) {
      messages_.emplace_back(rank, std::move(*message));
    }
  }
  return !messages_.empty();
}

Status ControlInbox::take(const std::function<Status(Rank from, const Control&)>& hear) {
  for (const auto& [from, bytes] : std::exchange(messages_, {})) {
    const auto message = parse_control(bytes);
    if (!message) {
      return fail(message.error().code, fmt::format("rank {} {}", from, message.error().message));
    }
    if (auto status = hear(from, *message); !status) {
      return status;
    }
  }
  return {};
}

}  // namespace wccl::transfer
