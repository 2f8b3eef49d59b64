#include "link/link_transport.h"

#include <algorithm>
#include <string>

namespace wccl::link {
namespace {

std::string seconds_text(Duration duration) {
  std::string text = std::to_string(to_seconds(duration));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

std::string names(std::span<const Rank> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i != 0) text += i + 1 == ranks.size() ? " and " : ", ";
    text += std::to_string(ranks[i]);
  }
  return text;
}

/// Why `ranks` did not answer: their screens are away, or they are in view and say nothing.
Error no_answer(const Node& node, std::span<const Rank> ranks, Duration timeout, Instant now) {
  const std::vector<Rank> lost = node.lost_peers(now);
  std::vector<Rank> away;
  for (const Rank rank : ranks) {
    if (std::ranges::find(lost, rank) != lost.end()) away.push_back(rank);
  }
  const std::string within = " did not answer within " + seconds_text(timeout);
  if (away.empty()) {
    return {ErrorCode::kTimeout, names(ranks) + within + ": in view but silent"};
  }
  const std::string reason =
      away.size() == 1 ? "its screen is out of view" : "their screens are out of view";
  return {ErrorCode::kPeerLost, names(away) + within + ": " + reason};
}

}  // namespace

LinkTransport::LinkTransport(Node& node, Waiter& waiter, Duration timeout)
    : node_(node), waiter_(waiter), timeout_(timeout) {}

Rank LinkTransport::rank() const {
  return node_.options().rank;
}

int LinkTransport::world_size() const {
  return node_.options().world_size;
}

Status LinkTransport::send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) {
  return node_.send(to, tag, message);
}

std::optional<Bytes> LinkTransport::try_receive(Rank from, Tag tag) {
  return node_.try_receive(from, tag);
}

Result<Bytes> LinkTransport::receive(Rank from, Tag tag) {
  if (from < 0 || from >= world_size() || from == rank()) {
    return fail(ErrorCode::kInvalidArgument,
                "cannot receive from rank " + std::to_string(from) + ": it is no peer");
  }
  if (auto message = node_.try_receive(from, tag)) return *std::move(message);
  std::optional<Bytes> message;
  const auto arrived = waiter_.wait(
      [&] {
        message = node_.try_receive(from, tag);
        return message.has_value();
      },
      waiter_.now() + timeout_);
  if (!arrived) return tl::make_unexpected(arrived.error());
  if (!*arrived) {
    return tl::make_unexpected(no_answer(node_, std::span(&from, 1), timeout_, waiter_.now()));
  }
  return *std::move(message);
}

Status LinkTransport::flush() {
  if (node_.all_acknowledged()) return {};
  const auto done =
      waiter_.wait([this] { return node_.all_acknowledged(); }, waiter_.now() + timeout_);
  if (!done) return tl::make_unexpected(done.error());
  if (!*done) {
    return tl::make_unexpected(
        no_answer(node_, node_.unacknowledged_by(), timeout_, waiter_.now()));
  }
  return {};
}

}  // namespace wccl::link
