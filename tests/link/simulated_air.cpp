#include "simulated_air.h"

#include <algorithm>
#include <array>

namespace wccl::link {
namespace {

using phy::CodeRate;
using phy::Colouring;

constexpr std::array<CodeRate, phy::kMostLayers> kHalf{
    CodeRate::k1_2, CodeRate::k1_2, CodeRate::k1_2, CodeRate::k1_2, CodeRate::k1_2, CodeRate::k1_2};
constexpr std::array kLadder{
    phy::Mode{"slowest", 16, Colouring::kLuma, 1, kHalf},
    phy::Mode{"slow", 10, Colouring::kLuma, 1, kHalf},
    phy::Mode{"fast", 6, Colouring::kLuma, 1, kHalf},
    phy::Mode{"fastest", 6, Colouring::kRgb, 1, kHalf},
};
constexpr std::array<std::size_t, 4> kBlocks{6, 16, 48, 140};

}  // namespace

std::span<const phy::Mode> test_ladder() {
  return kLadder;
}

std::vector<std::size_t> test_block_sizes(phy::ModeId mode) {
  return std::vector<std::size_t>(kBlocks.at(mode), 117);
}

SimulatedAir::SimulatedAir(int n_nodes, AirOptions options, NodeOptions node_options)
    : options_(std::move(options)), node_options_(node_options), rng_(options_.seed) {
  node_options_.world_size = n_nodes;
  for (Rank rank = 0; rank < n_nodes; ++rank) {
    epochs_.push_back(static_cast<std::uint16_t>(1000 + rank));
    nodes_.push_back(make_node(rank, epochs_.back()));
    // Panels and cameras free-run: each has its own phase.
    next_refresh_.push_back(Instant(Duration(1'000 + 5'300 * rank)));
    next_capture_.push_back(Instant(Duration(9'000 + 7'700 * rank)));
    last_arrival_.push_back(Instant{});
  }
}

std::unique_ptr<Endpoint> SimulatedAir::make_node(Rank rank,
                                                  std::uint16_t epoch,
                                                  Activity activity) const {
  NodeOptions options = node_options_;
  options.rank = rank;
  options.epoch = epoch;
  options.activity = activity;
  options.panel = {1920, 1200};
  return std::make_unique<Endpoint>(options, test_ladder(), test_block_sizes);
}

void SimulatedAir::restart(Rank rank, Activity activity) {
  const auto i = static_cast<std::size_t>(rank);
  nodes_[i] = make_node(rank, ++epochs_[i], activity);
  shown_.erase(rank);
}

void SimulatedAir::run_for(Duration duration) {
  run_until([] { return false; }, duration);
}

bool SimulatedAir::run_until(const std::function<bool()>& done, Duration limit) {
  const Instant end = now_ + limit;
  while (now_ < end) {
    if (done()) {
      return true;
    }
    step();
  }
  return done();
}

bool SimulatedAir::calibrate(Duration limit) {
  return run_until(
      [this] {
        return std::ranges::all_of(nodes_, [](const auto& node) { return node->calibrated(); });
      },
      limit);
}

/// The next event of all: an arrival, a refresh or a capture.
void SimulatedAir::step() {
  const auto arrival = std::ranges::min_element(arrivals_, {}, &Arrival::at);
  const auto refresh = std::ranges::min_element(next_refresh_);
  const auto exposure = std::ranges::min_element(next_capture_);
  if (arrival != arrivals_.end() && arrival->at <= std::min(*refresh, *exposure)) {
    const Arrival event = std::move(*arrival);
    arrivals_.erase(arrival);
    now_ = event.at;
    node(event.to).on_reception(event.reception, now_);
  } else if (*refresh <= *exposure) {
    now_ = *refresh;
    show(static_cast<Rank>(refresh - next_refresh_.begin()));
    *refresh += node_options_.refresh;
  } else {
    now_ = *exposure;
    const auto rank = static_cast<Rank>(exposure - next_capture_.begin());
    capture(rank);
    const auto own = options_.capture_periods.find(rank);
    *exposure += own == options_.capture_periods.end() ? options_.capture_period : own->second;
  }
}

void SimulatedAir::show(Rank rank) {
  auto frame = node(rank).next_frame(now_);
  if (!frame) {
    return;
  }
  std::uint64_t digest = static_cast<std::uint64_t>(now_.time_since_epoch().count());
  for (const auto& payload : frame->payloads) {
    for (const std::byte byte : payload) {
      digest = digest * 1'099'511'628'211U ^ std::to_integer<std::uint64_t>(byte);
    }
  }
  trace_.push_back(digest ^ frame->header.feedback);
  std::optional<Shown> before;
  if (const auto it = shown_.find(rank); it != shown_.end()) {
    before = std::move(it->second.now);
  }
  shown_[rank] = {{*std::move(frame), next_serial_++, now_}, std::move(before)};
}

void SimulatedAir::capture(Rank to) {
  phy::CaptureReception reception;
  reception.captured_at = now_;
  for (Rank from = 0; from < static_cast<Rank>(nodes_.size()); ++from) {
    if (from == to || !shown_.contains(from)) {
      continue;
    }
    if (options_.visible && !options_.visible(from, to, now_)) {
      continue;
    }
    read(from, to, reception);
  }
  const double jitter = rng_.uniform() * static_cast<double>(options_.latency_jitter.count());
  const Instant at = now_ + options_.latency + Duration(static_cast<std::int64_t>(jitter));
  // Captures of one camera arrive in order.
  Instant& last = last_arrival_[static_cast<std::size_t>(to)];
  last = std::max(last, at);
  arrivals_.push_back({last, to, std::move(reception)});
}

void SimulatedAir::read(Rank from, Rank to, phy::CaptureReception& reception) {
  const Screen& seen = shown_.at(from);
  const double share =
      options_.exposure.count() == 0 || !seen.before
          ? 1
          : std::min(1.0, to_seconds(now_ - seen.now.at) / to_seconds(options_.exposure));
  const Shown& shown = share >= 0.5 ? seen.now : *seen.before;
  const std::tuple key{from, to, shown.serial};
  if (!readings_.contains(key)) {
    std::erase_if(readings_, [&](const auto& entry) {
      return std::get<0>(entry.first) == from && std::get<1>(entry.first) == to &&
             std::get<2>(entry.first) + 200 < shown.serial;
    });
    readings_.emplace(key, draw(from, to, shown));
  }
  Reading& reading = readings_.at(key);
  const bool is_mixed = std::max(share, 1 - share) < 0.75;
  const int capture = is_mixed ? -2 : reading.captures++;
  if (reading.header_lost) {
    return;
  }
  phy::ScreenReception screen;
  screen.node = static_cast<std::uint8_t>(from);
  screen.quality.levels = {{{30, 128, 128}, {180, 128, 128}}};
  const phy::Mode& mode = kLadder.at(shown.frame.header.mode);
  const double snr_db = (mode.colouring == Colouring::kRgb ? 11
                         : mode.cell_px > 6                ? 33
                                                           : 24) +
                        options_.snr_offset_db;
  screen.quality.snr_db = {snr_db, snr_db, snr_db};
  screen.quality.cell_px = mode.cell_px * 0.6;
  if (seen.before) {
    screen.shares.push_back({seen.before->frame.header.sequence, 1 - share});
  }
  screen.shares.push_back({seen.now.frame.header.sequence, share});
  phy::FrameReception frame{shown.frame.header, {}};
  for (std::size_t block = 0; block < reading.capture_of_block.size(); ++block) {
    if (reading.capture_of_block[block] != capture) {
      continue;
    }
    frame.blocks.push_back({static_cast<int>(block), shown.frame.payloads[block]});
  }
  screen.frames.push_back(std::move(frame));
  reception.screens.push_back(std::move(screen));
}

SimulatedAir::Reading SimulatedAir::draw(Rank from, Rank to, const Shown& shown) {
  Reading reading{rng_.uniform() < options_.frame_loss, {}, 0};
  const double loss =
      options_.loss ? options_.loss(from, to, shown.frame.header.mode, now_) : options_.block_loss;
  for (std::size_t block = 0; block < shown.frame.payloads.size(); ++block) {
    const bool lost = rng_.uniform() < loss;
    const int capture = rng_.uniform() < options_.late_share ? 1 : 0;
    reading.capture_of_block.push_back(lost ? -1 : capture);
  }
  return reading;
}

Bytes random_bytes(std::size_t n_bytes, std::uint64_t seed) {
  Rng rng(seed);
  Bytes bytes(n_bytes);
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(rng.below(256));
  }
  return bytes;
}

}  // namespace wccl::link
