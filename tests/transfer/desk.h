#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../link/simulated_air.h"
#include "transfer/channel.h"
#include "transfer/messages.h"
#include "transfer/receiver.h"
#include "transfer/sender.h"

namespace wccl::transfer {

/// Laptops whose link is real but for the pixels (link::SimulatedAir), with a Sender or a Receiver
/// on each, in virtual time and in one thread.
class Desk {
 public:
  explicit Desk(int n_laptops, link::AirOptions options = {})
      : air_(n_laptops, std::move(options), node_options()) {
    for (Rank rank = 0; rank < n_laptops; ++rank) {
      ends_.push_back(std::make_unique<Place>(air_, rank));
    }
  }

  /// @param timeout  As in EndOptions.
  void send(Rank rank, SourceFiles& files, Duration timeout = std::chrono::seconds(30)) {
    Place& place = *ends_[static_cast<std::size_t>(rank)];
    place.clear();
    place.sender = std::make_unique<Sender>(place.channel, files, end_options(timeout));
  }
  void receive(Rank rank,
               const std::filesystem::path& folder,
               bool replace = false,
               Duration timeout = std::chrono::seconds(30)) {
    Place& place = *ends_[static_cast<std::size_t>(rank)];
    place.clear();
    place.destination = *Destination::open(folder, replace);
    place.receiver =
        std::make_unique<Receiver>(place.channel, *place.destination, end_options(timeout));
  }
  /// The program of a laptop ends, and its node with it.
  void stop(Rank rank) {
    ends_[static_cast<std::size_t>(rank)]->clear();
    air_.restart(rank);
  }

  /// The program of a laptop ends early, and says why.
  void leave(Rank rank, const std::string& reason) {
    Place& place = *ends_[static_cast<std::size_t>(rank)];
    place.clear();
    place.channel.leave(reason);
  }

  /// @return whether all programs have ended before `limit` had passed.
  bool run(Duration limit) {
    return run_until([] { return false; }, limit) || all_ended();
  }
  /// Stops earlier when `condition` holds. @return whether it did.
  bool run_until(const std::function<bool()>& condition, Duration limit) {
    bool held = false;
    air_.run_until(
        [&] {
          for (const auto& end : ends_) {
            end->step(air_.now());
          }
          held = condition();
          return held || all_ended();
        },
        limit);
    return held;
  }

  [[nodiscard]] const Receiver& receiver(Rank rank) const {
    return *ends_[static_cast<std::size_t>(rank)]->receiver;
  }
  [[nodiscard]] const Sender& sender(Rank rank) const {
    return *ends_[static_cast<std::size_t>(rank)]->sender;
  }
  /// How the rank's program ended; empty while it runs.
  [[nodiscard]] const std::optional<Status>& result(Rank rank) const {
    return ends_[static_cast<std::size_t>(rank)]->result;
  }
  link::SimulatedAir& air() { return air_; }

 private:
  class EndpointTransport final : public Transport {
   public:
    EndpointTransport(link::SimulatedAir& air, Rank rank) : air_(air), rank_(rank) {}

    [[nodiscard]] Rank rank() const override { return rank_; }
    [[nodiscard]] int world_size() const override { return air_.node(rank_).options().world_size; }
    Status send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) override {
      return air_.node(rank_).send(to, tag, message);
    }
    std::optional<Bytes> try_receive(Rank from, Tag tag) override {
      return air_.node(rank_).try_receive(from, tag);
    }
    Result<Bytes> receive(Rank /*from*/, Tag /*tag*/) override {
      return fail(ErrorCode::kUnsupported, "a transfer never blocks");
    }
    Status flush() override { return fail(ErrorCode::kUnsupported, "a transfer never blocks"); }

   private:
    link::SimulatedAir& air_;
    Rank rank_;
  };

  class EndpointChannel final : public Channel {
   public:
    EndpointChannel(link::SimulatedAir& air, Rank rank)
        : air_(air), rank_(rank), transport_(air, rank) {}

    [[nodiscard]] Transport& transport() override { return transport_; }
    [[nodiscard]] Load load() override {
      const link::Endpoint& node = air_.node(rank_);
      return {node.backlog_bytes(), node.frame_bytes(), node.all_acknowledged()};
    }
    [[nodiscard]] std::uint64_t progress(Rank peer) override {
      return air_.node(rank_).progress(peer);
    }
    [[nodiscard]] bool is_in_view(Rank peer) override {
      const auto lost = air_.node(rank_).lost_peers(air_.now());
      return std::ranges::find(lost, peer) == lost.end();
    }
    [[nodiscard]] std::optional<std::string> departure(Rank peer) override {
      const auto departure = air_.node(rank_).departure(peer);
      return departure ? std::optional(departure->text()) : std::nullopt;
    }
    void drop_queued(Rank peer) override { air_.node(rank_).drop_queued(peer); }
    void leave(const std::string& reason) {
      static_cast<void>(
          air_.node(rank_).say_goodbye(transport_.peers(), link::Departure{rank_, reason}));
    }

   private:
    link::SimulatedAir& air_;
    Rank rank_;
    EndpointTransport transport_;
  };

  struct Place {
    Place(link::SimulatedAir& air, Rank rank) : channel(air, rank) {}

    void clear() {
      sender.reset();
      receiver.reset();
      destination.reset();
      result.reset();
    }
    void step(Instant now) {
      if (sender) {
        step(*sender, now);
      } else if (receiver) {
        step(*receiver, now);
      }
    }
    template <class End>
    void step(End& end, Instant now) {
      if (result || (!end.ready() && now < end.due())) {
        return;
      }
      const auto done = end.step(now);
      if (!done) {
        result = tl::make_unexpected(done.error());
        // As a session does.
        channel.leave(done.error().message);
      } else if (*done) {
        result = Status{};
      }
    }

    EndpointChannel channel;
    std::unique_ptr<Sender> sender;
    std::optional<Destination> destination;
    std::unique_ptr<Receiver> receiver;
    std::optional<Status> result;
  };

  static link::NodeOptions node_options() {
    link::NodeOptions options;
    options.mode = 3;  // 140 blocks of 117 bytes.
    options.hold_refreshes = 3;
    return options;
  }
  EndOptions end_options(Duration timeout) { return {timeout, ++incarnations_}; }
  [[nodiscard]] bool all_ended() const {
    return std::ranges::all_of(ends_, [](const auto& end) {
      return (!end->sender && !end->receiver) || end->result.has_value();
    });
  }

  link::SimulatedAir air_;
  std::vector<std::unique_ptr<Place>> ends_;
  std::uint64_t incarnations_ = 0;
};

}  // namespace wccl::transfer
