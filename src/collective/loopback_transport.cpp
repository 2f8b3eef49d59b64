#include "collective/loopback_transport.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/rng.h"

namespace wccl {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Address {
  Rank from = 0;
  Rank to = 0;
  Tag tag = 0;
  friend auto operator<=>(const Address&, const Address&) = default;
};

struct Letter {
  Bytes message;
  SteadyClock::time_point due;
};

}  // namespace

struct LoopbackWorld::State {
  LoopbackOptions options;
  int world_size = 0;
  std::vector<std::unique_ptr<End>> ends;

  std::mutex mutex;  // guards all below
  std::condition_variable changed;
  std::multimap<Address, Letter> letters;
  std::vector<bool> lost;

  [[nodiscard]] Duration delay_of(const Address& address) const {
    if (options.max_delay <= Duration::zero()) {
      return Duration::zero();
    }
    const auto route = static_cast<std::uint64_t>(address.from) * 0x10000U +
                       static_cast<std::uint64_t>(address.to);
    Rng rng = Rng(options.seed).split(route << 32U | address.tag);
    return Duration(static_cast<Duration::rep>(
        rng.below(static_cast<std::uint64_t>(options.max_delay.count()) + 1)));
  }

  /// Takes the message if it is due. Under the mutex.
  std::optional<Bytes> take(const Address& address) {
    const auto found = letters.find(address);
    if (found == letters.end() || found->second.due > SteadyClock::now()) {
      return std::nullopt;
    }
    Bytes message = std::move(found->second.message);
    letters.erase(found);
    return message;
  }

  /// When to look again for the message, at the latest. Under the mutex.
  [[nodiscard]] SteadyClock::time_point next_look(const Address& address,
                                                  SteadyClock::time_point deadline) const {
    const auto found = letters.find(address);
    return found == letters.end() ? deadline : std::min(deadline, found->second.due);
  }

  [[nodiscard]] bool is_lost(Rank rank) const { return lost[static_cast<std::size_t>(rank)]; }
};

class LoopbackWorld::End final : public Transport {
 public:
  End(State& state, Rank rank) : state_(state), rank_(rank) {}

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] int world_size() const override { return state_.world_size; }

  Status send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) override {
    for (const Rank peer : to) {
      if (peer < 0 || peer >= world_size() || peer == rank_) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("rank {} cannot send to rank {}", rank_, peer));
      }
    }
    const std::lock_guard lock(state_.mutex);
    if (state_.is_lost(rank_)) {
      return cut_off();
    }
    const auto now = SteadyClock::now();
    for (const Rank peer : to) {
      const Address address{rank_, peer, tag};
      state_.letters.emplace(
          address, Letter{Bytes(message.begin(), message.end()), now + state_.delay_of(address)});
    }
    state_.changed.notify_all();
    return {};
  }

  std::optional<Bytes> try_receive(Rank from, Tag tag) override {
    const std::lock_guard lock(state_.mutex);
    return state_.take({from, rank_, tag});
  }

  Result<Bytes> receive(Rank from, Tag tag) override {
    if (from < 0 || from >= world_size() || from == rank_) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("rank {} cannot receive from rank {}", rank_, from));
    }
    const Address address{from, rank_, tag};
    const auto deadline = SteadyClock::now() + state_.options.timeout;
    std::unique_lock lock(state_.mutex);
    while (true) {
      if (auto message = state_.take(address)) {
        return std::move(*message);
      }
      if (state_.is_lost(rank_)) {
        return cut_off();
      }
      const bool on_its_way = state_.letters.contains(address);
      if (state_.is_lost(from) && !on_its_way) {
        return fail(ErrorCode::kPeerLost, fmt::format("rank {} is lost", from));
      }
      if (SteadyClock::now() >= deadline) {
        return fail(ErrorCode::kTimeout, fmt::format("nothing from rank {} within {} s", from,
                                                     to_seconds(state_.options.timeout)));
      }
      state_.changed.wait_until(lock, state_.next_look(address, deadline));
    }
  }

  Status flush() override {
    // A message is delivered, and so acknowledged, when it is due.
    std::unique_lock lock(state_.mutex);
    auto last_due = SteadyClock::now();
    for (const auto& [address, letter] : state_.letters) {
      if (address.from == rank_) {
        last_due = std::max(last_due, letter.due);
      }
    }
    while (SteadyClock::now() < last_due) {
      state_.changed.wait_until(lock, last_due);
    }
    return {};
  }

 private:
  [[nodiscard]] tl::unexpected<Error> cut_off() const {
    return fail(ErrorCode::kPeerLost, fmt::format("this rank, {}, is cut off", rank_));
  }

  State& state_;
  Rank rank_;
};

LoopbackWorld::LoopbackWorld(int world_size, LoopbackOptions options)
    : state_(std::make_unique<State>()) {
  assert(world_size > 0);
  state_->options = options;
  state_->world_size = world_size;
  state_->lost.resize(static_cast<std::size_t>(world_size));
  for (Rank rank = 0; rank < world_size; ++rank) {
    state_->ends.push_back(std::make_unique<End>(*state_, rank));
  }
}

LoopbackWorld::~LoopbackWorld() = default;

Transport& LoopbackWorld::transport(Rank rank) {
  return *state_->ends.at(static_cast<std::size_t>(rank));
}

int LoopbackWorld::world_size() const {
  return state_->world_size;
}

void LoopbackWorld::lose(Rank rank) {
  const std::lock_guard lock(state_->mutex);
  state_->lost.at(static_cast<std::size_t>(rank)) = true;
  state_->changed.notify_all();
}

}  // namespace wccl
