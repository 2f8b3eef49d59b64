#include "link/link_transport.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace wccl::link {
namespace {

std::string seconds_text(Duration duration) {
  std::string text = std::to_string(to_seconds(duration));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  return text + " s";
}

std::string names(std::span<const Rank> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i != 0) {
      text += i + 1 == ranks.size() ? " and " : ", ";
    }
    text += std::to_string(ranks[i]);
  }
  return text;
}

/// Why `ranks` did not answer: their screens are away, or they are in view and say nothing.
Error no_answer(const Node& node, std::span<const Rank> ranks, Duration timeout, Instant now) {
  const std::vector<Rank> lost = node.lost_peers(now);
  std::vector<Rank> away;
  for (const Rank rank : ranks) {
    if (std::ranges::find(lost, rank) != lost.end()) {
      away.push_back(rank);
    }
  }
  const std::string within = " did not answer within " + seconds_text(timeout);
  const std::string complaint = node.complaint(now);
  const std::string hint = complaint.empty() ? "" : " (" + complaint + ")";
  if (away.empty()) {
    return {ErrorCode::kTimeout, names(ranks) + within + ": in view but silent" + hint};
  }
  const std::string reason = away.size() == 1
                                 ? "its screen is out of view, or it was stopped there"
                                 : "their screens are out of view, or they were stopped there";
  return {ErrorCode::kPeerLost, names(away) + within + ": " + reason + hint};
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
  std::optional<Bytes> message = node_.try_receive(from, tag);
  const auto take = [&] {
    if (!message) {
      message = node_.try_receive(from, tag);
    }
    return message.has_value();
  };
  const std::array ranks{from};
  const Status status = wait_for(take, [&ranks] { return std::span<const Rank>(ranks); });
  if (!status) {
    return tl::make_unexpected(status.error());
  }
  return *std::move(message);
}

Status LinkTransport::flush() {
  std::vector<Rank> ranks;
  // The others are to have theirs, even if one has left.
  const auto pending = [&] {
    ranks = node_.unacknowledged_by();
    std::erase_if(ranks, [&](Rank rank) { return node_.departure(rank).has_value(); });
    return std::span<const Rank>(ranks);
  };
  if (auto status = wait_for([&] { return pending().empty(); }, pending); !status) {
    return status;
  }
  const auto departure = departure_of(node_.unacknowledged_by());
  return departure ? fail(ErrorCode::kPeerLost, departure->text()) : Status();
}

Status LinkTransport::wait_for(const std::function<bool()>& done,
                               const std::function<std::span<const Rank>()>& pending) {
  std::optional<Departure> departure;
  // What has come counts, whoever has left since.
  const auto over = [&] { return done() || (departure = departure_of(pending())); };
  while (!over()) {
    const std::uint64_t before = progress_of(pending());
    const auto held = waiter_.wait(over, waiter_.now() + timeout_);
    if (!held) {
      return tl::make_unexpected(held.error());
    }
    if (*held) {
      break;
    }
    // A long message on a slow link is no silence.
    if (progress_of(pending()) != before) {
      continue;
    }
    return tl::make_unexpected(no_answer(node_, pending(), timeout_, waiter_.now()));
  }
  return departure ? fail(ErrorCode::kPeerLost, departure->text()) : Status();
}

std::optional<Departure> LinkTransport::departure_of(std::span<const Rank> ranks) const {
  for (const Rank rank : ranks) {
    if (auto departure = node_.departure(rank)) {
      return departure;
    }
  }
  return std::nullopt;
}

std::uint64_t LinkTransport::progress_of(std::span<const Rank> ranks) const {
  std::uint64_t sum = 0;
  for (const Rank rank : ranks) {
    sum += node_.progress(rank);
  }
  return sum;
}

}  // namespace wccl::link
