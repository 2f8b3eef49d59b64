#include "eval/link_run.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "base/rng.h"
#include "link/node.h"
#include "phy/receiver.h"
#include "room/world.h"

namespace wccl::eval {
namespace {

constexpr std::uint64_t kMessageStream = 0x6C696E6B;
constexpr std::uint64_t kEpochStream = 0x65706F63;
constexpr std::size_t kMessageBytes = 8192;
// Under way at a time: more than the fastest mode brings through in a round trip.
constexpr std::int64_t kMessagesUnderWay = 100;

Bytes message(std::uint64_t seed, Rank sender, std::int64_t number) {
  Rng rng = Rng(seed)
                .split(kMessageStream + static_cast<std::uint64_t>(sender))
                .split(static_cast<std::uint64_t>(number));
  Bytes bytes(kMessageBytes);
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(rng.next() >> 56U);
  }
  return bytes;
}

link::NodeOptions node_options(const LinkRunOptions& options, Rank rank) {
  const room::PanelSpec& panel = options.script.scene.nodes[static_cast<std::size_t>(rank)].panel;
  link::NodeOptions node;
  node.rank = rank;
  node.panel = {panel.width_px, panel.height_px};
  node.refresh = from_seconds(1 / panel.refresh_hz);
  node.mode = options.mode;
  node.hold_refreshes = options.hold;
  node.epoch = static_cast<std::uint16_t>(
      Rng(options.seed).split(kEpochStream + static_cast<std::uint64_t>(rank)).below(0x10000));
  return node;
}

std::string limit_of(const link::RateControl::State& state, phy::ModeId mode) {
  if (state.success < 0.9) {
    return state.hold == 2 && state.mixed > 0.2 ? "mixed frames" : "lost blocks";
  }
  if (mode + 1U == phy::modes().size() && state.hold == 2) {
    return "the ladder's end";
  }
  if (phy::find_mode(mode)->colouring == phy::Colouring::kLuma) {
    return "luma";
  }
  constexpr std::array kNames{"red", "green", "blue"};
  return kNames[static_cast<std::size_t>(state.channel)];
}

/// One of the two. Its calls come from the event loop, but for decode().
class Talker final : public Occupant {
 public:
  Talker(const LinkRunOptions& options, Rank rank)
      : seed_(options.seed), rank_(rank), node_(node_options(options, rank)) {}

  Painting next_frame(Instant now) override {
    talk();
    return node_.next_frame(now);
  }
  std::function<void(Instant)> decode(const Capture& capture) override {
    return
        [this, reception = receiver_.receive(capture.picture, capture.captured_at)](Instant now) {
          node_.on_reception(reception, now);
          listen();
        };
  }

  void meet(Talker& other) { other_ = &other; }
  [[nodiscard]] const link::Node& node() const { return node_; }
  /// Messages of the other that have come.
  [[nodiscard]] std::int64_t n_received() const { return n_received_; }
  [[nodiscard]] std::int64_t wrong_bytes() const { return wrong_bytes_; }
  /// What this one's receiver says of the other's screen.
  [[nodiscard]] std::array<double, 3> snr_db() const { return node_.stats()[0].quality.snr_db; }

 private:
  void talk() {
    const std::array<Rank, 1> to{1 - rank_};
    while (n_sent_ - other_->n_received() < kMessagesUnderWay) {
      const auto tag = static_cast<Tag>(n_sent_);
      if (!node_.send(to, tag, message(seed_, rank_, n_sent_))) {
        return;
      }
      other_->awaited_.push_back(n_sent_);
      ++n_sent_;
    }
  }
  void listen() {
    std::erase_if(awaited_, [this](std::int64_t number) {
      const auto bytes = node_.try_receive(1 - rank_, static_cast<Tag>(number));
      if (bytes) {
        compare(*bytes, message(seed_, 1 - rank_, number));
      }
      return bytes.has_value();
    });
  }
  void compare(const Bytes& received, const Bytes& sent) {
    ++n_received_;
    std::int64_t n_same = 0;
    for (std::size_t i = 0; i < std::min(sent.size(), received.size()); ++i) {
      n_same += sent[i] == received[i] ? 1 : 0;
    }
    wrong_bytes_ += static_cast<std::int64_t>(std::max(sent.size(), received.size())) - n_same;
  }

  std::uint64_t seed_;
  Rank rank_;
  link::Node node_;
  phy::Receiver receiver_;
  Talker* other_ = nullptr;
  std::vector<std::int64_t> awaited_;  ///< Messages of the other that are under way.
  std::int64_t n_sent_ = 0;
  std::int64_t n_received_ = 0;
  std::int64_t wrong_bytes_ = 0;
};

/// Looks at both every kTraceStepS.
class Tracer {
 public:
  Tracer(room::World& world, const std::array<std::unique_ptr<Talker>, 2>& talkers)
      : world_(world), talkers_(talkers) {}

  /// The program of a rank. @return false when the run has been given up.
  bool run(const LinkRunOptions& options) {
    for (int step = 1;; ++step) {
      const Instant at(from_seconds(step * kTraceStepS));
      if (at > options.script.end) {
        return true;
      }
      if (options.is_cancelled && options.is_cancelled()) {
        return false;
      }
      if (!world_.wait(0, [] { return false; }, at)) {
        return false;
      }
      for (int sender = 0; sender < 2; ++sender) {
        look(sender, step * kTraceStepS);
      }
    }
  }
  [[nodiscard]] std::vector<TraceRow>& rows() { return rows_; }

 private:
  void look(int sender, double now_s) {
    const Talker& from = *talkers_[static_cast<std::size_t>(sender)];
    const Talker& to = *talkers_[static_cast<std::size_t>(1 - sender)];
    const auto state = from.node().rate(world_.now());
    TraceRow row;
    row.end_s = now_s;
    row.sender = sender;
    row.mode = state.mode;
    row.hold = state.hold;
    auto& before = n_before_[static_cast<std::size_t>(sender)];
    row.goodput_bps =
        8.0 * kMessageBytes * static_cast<double>(to.n_received() - before) / kTraceStepS;
    before = to.n_received();
    row.snr_db = to.snr_db();
    row.margin_db = state.margin_db;
    row.success = state.success;
    row.mixed = state.mixed;
    row.limit = limit_of(state, state.mode);
    rows_.push_back(std::move(row));
  }

  room::World& world_;
  const std::array<std::unique_ptr<Talker>, 2>& talkers_;
  std::array<std::int64_t, 2> n_before_{};
  std::vector<TraceRow> rows_;
};

}  // namespace

double LinkTrace::goodput_bps(double from_s, double to_s) const {
  double sum = 0;
  int n = 0;
  for (const TraceRow& row : rows) {
    if (row.end_s > from_s + 1e-6 && row.end_s <= to_s + 1e-6) {
      sum += row.goodput_bps;
      ++n;
    }
  }
  return n > 0 ? sum / n : 0;
}

Result<LinkTrace> run_link(const LinkRunOptions& options) {
  const std::array talkers{std::make_unique<Talker>(options, 0),
                           std::make_unique<Talker>(options, 1)};
  talkers[0]->meet(*talkers[1]);
  talkers[1]->meet(*talkers[0]);
  room::WorldOptions world_options;
  world_options.scene = options.script.scene;
  world_options.changes = options.script.changes;
  world_options.seed = options.seed;
  world_options.n_threads = options.n_threads;
  room::World world(std::move(world_options), {talkers[0].get(), talkers[1].get()});
  Tracer tracer(world, talkers);
  bool is_whole = false;
  world.run({[&] { is_whole = tracer.run(options); }, [] {}});
  if (!is_whole) {
    return fail(ErrorCode::kCancelled, "interrupted");
  }
  LinkTrace trace;
  trace.rows = std::move(tracer.rows());
  trace.wrong_bytes = talkers[0]->wrong_bytes() + talkers[1]->wrong_bytes();
  return trace;
}

}  // namespace wccl::eval
