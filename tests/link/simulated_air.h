#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/rng.h"
#include "link/endpoint.h"

namespace wccl::link {

/// How frames travel from one screen to one camera.
struct AirOptions {
  std::uint64_t seed = 1;
  double block_loss = 0;  ///< Share of blocks that no capture of their frame decodes.
  double frame_loss = 0;  ///< Share of frames of which not even the header is read.
  Duration capture_period{33'333};
  std::map<Rank, Duration> capture_periods;  ///< Of cameras that are not like the others.
  Duration latency{120'000};
  Duration latency_jitter{30'000};
  /// Share of the blocks that only a frame's second capture decodes.
  double late_share = 0.5;
  /// A capture holds the light of so long a time before it, and what a frame has less than three
  /// quarters of is lost. 0: captures never mix frames.
  Duration exposure{0};
  double snr_offset_db = 0;  ///< Against what the room's cameras see.
  /// Overrides block_loss where set.
  std::function<double(Rank from, Rank to, phy::ModeId mode, Instant now)> loss;
  /// Whether `to` sees the screen of `from`.
  std::function<bool(Rank from, Rank to, Instant now)> visible;
};

/// Test ladder: blocks of 117 bytes, 6, 16, 48 and 140 of them a frame.
[[nodiscard]] std::span<const phy::Mode> test_ladder();
[[nodiscard]] std::vector<std::size_t> test_block_sizes(phy::ModeId mode);

/// Endpoints joined by an erasure channel in virtual time: captures, latency and losses, no pixels.
class SimulatedAir {
 public:
  SimulatedAir(int n_nodes, AirOptions options, NodeOptions node_options = {});

  [[nodiscard]] Endpoint& node(Rank rank) { return *nodes_.at(static_cast<std::size_t>(rank)); }
  [[nodiscard]] Instant now() const { return now_; }
  AirOptions& options() { return options_; }

  /// Replaces a node by one that knows nothing and has another epoch.
  void restart(Rank rank, Activity activity = Activity::kUnsaid);
  void run_for(Duration duration);
  /// @return whether `done` held before `limit` had passed.
  bool run_until(const std::function<bool()>& done, Duration limit);
  bool calibrate(Duration limit = std::chrono::seconds(5));

  /// Everything that was shown, as one number a frame: equal runs have equal traces.
  [[nodiscard]] const std::vector<std::uint64_t>& trace() const { return trace_; }

 private:
  struct Shown {
    OutgoingFrame frame;
    std::uint64_t serial = 0;
    Instant at;
  };
  /// What is on a screen, and what was before.
  struct Screen {
    Shown now;
    std::optional<Shown> before;
  };
  /// What one receiver has of the frame that a screen shows.
  struct Reading {
    bool header_lost = false;
    std::vector<int> capture_of_block;  ///< In which capture of the frame it decodes; -1 in none.
    int captures = 0;
  };
  struct Arrival {
    Instant at;
    Rank to = 0;
    phy::CaptureReception reception;
  };

  void step();
  void show(Rank rank);
  void capture(Rank to);
  void read(Rank from, Rank to, phy::CaptureReception& reception);
  [[nodiscard]] Reading draw(Rank from, Rank to, const Shown& shown);
  [[nodiscard]] std::unique_ptr<Endpoint> make_node(Rank rank,
                                                    std::uint16_t epoch,
                                                    Activity activity = Activity::kUnsaid) const;

  AirOptions options_;
  NodeOptions node_options_;
  Rng rng_;
  Instant now_{};
  std::vector<std::unique_ptr<Endpoint>> nodes_;
  std::vector<std::uint16_t> epochs_;
  std::map<Rank, Screen> shown_;
  std::uint64_t next_serial_ = 0;
  std::map<std::tuple<Rank, Rank, std::uint64_t>, Reading> readings_;  ///< By frame.
  std::vector<Instant> next_refresh_;
  std::vector<Instant> next_capture_;
  std::vector<Instant> last_arrival_;
  std::vector<Arrival> arrivals_;
  std::vector<std::uint64_t> trace_;
};

/// `n_bytes` that depend on the seed only.
[[nodiscard]] Bytes random_bytes(std::size_t n_bytes, std::uint64_t seed);

}  // namespace wccl::link
