#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "session/rank_context.h"
#include "transfer/channel.h"

namespace wccl::app {

/// The link of a session's rank as a transfer sees it.
class RankChannel final : public transfer::Channel {
 public:
  explicit RankChannel(session::RankContext& rank) : rank_(rank) {}

  [[nodiscard]] Transport& transport() override { return rank_.transport(); }
  [[nodiscard]] Load load() override {
    Load load;
    rank_.visit([&load](link::Node& node) {
      load = {node.backlog_bytes(), node.frame_bytes(), node.all_acknowledged()};
    });
    return load;
  }
  [[nodiscard]] std::uint64_t progress(Rank peer) override {
    std::uint64_t progress = 0;
    rank_.visit([&](link::Node& node) { progress = node.progress(peer); });
    return progress;
  }
  [[nodiscard]] bool is_in_view(Rank peer) override {
    const Instant now = rank_.now();
    bool in_view = false;
    rank_.visit([&](link::Node& node) {
      const auto lost = node.lost_peers(now);
      in_view = std::ranges::find(lost, peer) == lost.end();
    });
    return in_view;
  }
  [[nodiscard]] std::optional<std::string> departure(Rank peer) override {
    std::optional<link::Departure> departure;
    rank_.visit([&](link::Node& node) { departure = node.departure(peer); });
    return departure ? std::optional(departure->text()) : std::nullopt;
  }
  void drop_queued(Rank peer) override {
    rank_.visit([&](link::Node& node) { node.drop_queued(peer); });
  }

 private:
  session::RankContext& rank_;
};

}  // namespace wccl::app
