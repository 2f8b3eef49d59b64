#include "session/farewell.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wccl::session {
namespace {

// A peer that has left already says nothing any more: its goodbye or our acknowledgement was lost.
constexpr Duration kPatience = std::chrono::seconds(10);
// For the acknowledgements of the last goodbyes: a few frames to the slowest of cameras.
constexpr Duration kLinger = std::chrono::seconds(1);
// A user waits; whoever looks sees a goodbye within a few frames.
constexpr Duration kHearing = std::chrono::seconds(2);
// For the acknowledgement of another's departure, so that it need not wait for so long.
constexpr Duration kCourtesy = std::chrono::milliseconds(500);

/// What a failing rank has to say, and to whom.
struct LastWord {
  link::Departure departure;
  std::vector<Rank> to;
};

/// Those of `peers` that take in what is said.
std::vector<Rank> who_is_there(const link::Node& node, std::vector<Rank> peers) {
  std::erase_if(
      peers, [&](Rank peer) { return node.departure(peer).has_value() || !node.works_with(peer); });
  return peers;
}

/// Whoever has left hears no more, and its reason is the one that counts when the error is of it.
LastWord last_word(const link::Node& node, const std::vector<Rank>& peers, link::Departure own) {
  LastWord word{std::move(own), who_is_there(node, peers)};
  for (const Rank peer : peers) {
    const auto heard = node.departure(peer);
    if (!heard) {
      continue;
    }
    std::erase(word.to, heard->rank);
    if (word.departure.reason.find(heard->text()) != std::string::npos) {
      word.departure = *heard;
    }
  }
  return word;
}

}  // namespace

Status say_farewell(RankContext& self) {
  std::vector<Rank> peers = self.transport().peers();
  self.visit([&](link::Node& node) {
    for (const Rank peer : peers) {
      if (node.departure(peer)) {
        node.drop_queued(peer);
      }
    }
  });
  if (auto status = self.transport().flush(); !status) {
    return status;
  }
  Status said;
  self.visit([&](link::Node& node) {
    peers = who_is_there(node, std::move(peers));
    said = node.say_goodbye(peers, std::nullopt);
  });
  if (!said) {
    return said;
  }
  const auto all_have_left = [&] {
    bool all_have = false;
    self.visit([&](link::Node& node) {
      all_have = node.all_acknowledged() &&
                 std::ranges::all_of(peers, [&](Rank peer) { return node.has_said_goodbye(peer); });
    });
    return all_have;
  };
  const auto left = self.wait(all_have_left, self.now() + kPatience);
  if (left && *left) {
    static_cast<void>(self.wait(nullptr, self.now() + kLinger));
  }
  return {};
}

Error say_why_it_leaves(RankContext& self, const Error& why) {
  const bool by_user = self.take_leave();
  const std::vector<Rank> peers = self.transport().peers();
  const Instant began = self.now();
  Duration stay{};
  Status said;
  self.visit([&](link::Node& node) {
    const LastWord word =
        last_word(node, peers, {self.rank(), by_user ? "interrupted there" : why.message});
    stay = word.to.size() < peers.size() ? kCourtesy : Duration::zero();
    said = node.say_goodbye(word.to, word.departure);
  });
  const auto all_know = [&] {
    bool all = false;
    self.visit(
        [&](link::Node& node) { all = who_is_there(node, node.unacknowledged_by()).empty(); });
    return all;
  };
  // The program's error is what counts; that nobody hears of it is none.
  if (said && self.wait(all_know, began + kHearing)) {
    static_cast<void>(self.wait(nullptr, began + stay));
  }
  return by_user ? Error{ErrorCode::kCancelled, "interrupted"} : why;
}

}  // namespace wccl::session
