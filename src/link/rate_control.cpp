#include "link/rate_control.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

constexpr double kGoodSuccess = 0.9;
// Less will do for a faster mode that brings so much more in all.
constexpr double kFairSuccess = 0.7;
constexpr double kFairGain = 1.3;
constexpr double kPoorSuccess = 0.5;
constexpr double kTerribleSuccess = 0.25;
// Blocks that must stand behind a figure. An idle sender's few blocks are too few to judge its mode
// by.
constexpr int kMinSamples = 6;
constexpr int kMinCurrentSamples = 20;
// A silent receiver may not be able to read us at all.
constexpr Duration kSilence = 1500ms;
// So long after a change headers may still tell of the mode before it.
constexpr Duration kSettling = 700ms;
// Acknowledgements come with every frame; older ones tell nothing of now.
constexpr Duration kFreshReport = 500ms;
// Headers that have said for so long that nothing decodes are believed.
constexpr Duration kFailing = 350ms;
// By then the answer to a probe has come, or the probe or the answer was lost.
constexpr Duration kProbeAnswer = 700ms;
// Frames of a probe: receivers need the first to get used to the mode.
constexpr int kProbeFrames = 3;
// From the end of a probe to the next: idle, in a long transfer, and with messages in flight at all
// times.
constexpr Duration kIdleProbePause = 250ms;
constexpr Duration kBusyProbePause = 1500ms;
constexpr Duration kRareProbePause = 2s;
constexpr Duration kFirstBlocking = 2s;
constexpr int kMaxDoublings = 3;
// So long in use without failing: past failures are forgiven.
constexpr Duration kForgiven = 20s;

// Smaller cells than this (camera pixels) are beyond any camera's optics and demosaicing.
constexpr double kSmallestCellPx = 1.4;
// What the room's face_1080p shows behind the equaliser: cells of fewer camera pixels than
// kSharpCellPx lose so many dB an octave, and channels of a Bayer mosaic behind 4:2:0 chroma so
// many against luma.
constexpr double kSharpCellPx = 5;
constexpr double kLumaDbPerOctave = 7;
constexpr std::array<double, 3> kColourDbPerOctave{10.5, 8.5, 10.5};
constexpr std::array<double, 3> kColourOffsetDb{-17, -14, -18};
// What a second half of the checkerboard gains from the first: 3 dB and more, as docs/link.md
// shows.
constexpr double kSecondHalfDb = 2.5;
// A prediction that is a little too good costs a failed probe.
constexpr double kLeastMarginDb = 0.5;

/// SNR of a channel against luma in large cells.
double relative_snr_db(phy::Colouring colouring, std::size_t channel, double cell_px) {
  const double octaves = std::max(0.0, std::log2(kSharpCellPx / cell_px));
  if (colouring == phy::Colouring::kLuma) {
    return -kLumaDbPerOctave * octaves;
  }
  return kColourOffsetDb[channel] - kColourDbPerOctave[channel] * octaves;
}

}  // namespace

double predicted_margin_db(const ViewQuality& view, const phy::Mode& from, const phy::Mode& to) {
  const double cell_px = view.cell_px * to.cell_px / from.cell_px;
  if (!(cell_px >= kSmallestCellPx)) {
    return -std::numeric_limits<double>::infinity();
  }
  double margin = std::numeric_limits<double>::infinity();
  const std::size_t n_channels = to.colouring == phy::Colouring::kLuma ? 1 : 3;
  for (std::size_t channel = 0; channel < n_channels; ++channel) {
    // Luma is best judged by the strongest channel, green.
    const bool to_luma = from.colouring != to.colouring && n_channels == 1;
    const std::size_t source = from.colouring == phy::Colouring::kLuma ? 0 : to_luma ? 1 : channel;
    const double snr_db = view.snr_db[source] -
                          relative_snr_db(from.colouring, source, view.cell_px) +
                          relative_snr_db(to.colouring, channel, cell_px);
    // Each further bit of a level halves the distance between levels.
    for (const phy::Layer layer : phy::layers(to.colouring)) {
      if (layer.channel != static_cast<int>(channel)) {
        continue;
      }
      const double needed = phy::required_snr_db(to.code_rate(layer)) +
                            6.5 * (to.bits_per_level - 1) - (layer.half == 1 ? kSecondHalfDb : 0);
      margin = std::min(margin, snr_db - needed);
    }
  }
  return margin;
}

RateControl::RateControl(std::span<const phy::Mode> ladder, std::vector<std::size_t> frame_bytes)
    : ladder_(ladder) {
  assert(frame_bytes.size() == ladder.size());
  for (std::size_t mode = 0; mode < ladder.size(); ++mode) {
    if (frame_bytes[mode] != 0) {
      rungs_.push_back({static_cast<phy::ModeId>(mode), frame_bytes[mode], {}, 0, {}});
    }
  }
  assert(!rungs_.empty());
  std::ranges::stable_sort(rungs_, {}, &Rung::frame_bytes);
  for (Peer& peer : peers_) {
    peer.verdicts.resize(rungs_.size());
  }
}

void RateControl::on_ack(Rank rank,
                         const AckPacket& ack,
                         std::optional<std::uint64_t> settled,
                         Instant now) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  peer.readable_at = now;
  if (ack.quality_mode < ladder_.size() && ack.cell_px != 0) {
    peer.view = ViewQuality{ack.quality_mode, {}, ack.cell_px / 8.0};
    for (std::size_t i = 0; i < 3; ++i) {
      peer.view->snr_db[i] = ack.snr[i] / 4.0;
    }
  }
  for (std::size_t rung = 0; rung < rungs_.size(); ++rung) {
    const auto it = std::ranges::find(ack.modes, rungs_[rung].mode, &ModeReport::mode);
    peer.verdicts[rung].reset();
    if (it == ack.modes.end() || !settled) {
      continue;
    }
    peer.verdicts[rung] = Verdict{it->success / 255.0, it->samples, *settled, now};
  }
}

void RateControl::on_feedback(Rank rank, unsigned success_class, Instant now) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  if (success_class >= 2) {
    peer.readable_at = now;
    peer.failing_since = Instant::max();
  } else {
    peer.failing_since = std::min(peer.failing_since, now);
  }
}

RateControl::Choice RateControl::choose(const Demand& demand, std::uint64_t sequence, Instant now) {
  sequence_ = sequence;
  note_peers(demand.peers, now);
  if (any_silent(now) && current_ != 0) {
    block(rungs_[current_], now);
    step_to(0, now);
  }
  judge_current(now);
  judge_probes(now);
  if (!probing_ && may_probe(demand, now)) {
    start_probe(now);
  }
  if (!probing_ || interrupts_probe(demand)) {
    probing_.reset();
    return {mode(), false};
  }
  Rung& probe = rungs_[*probing_];
  probe.probed = now;
  probe.probed_in = sequence;
  last_probe_ = now;
  if (--probe_frames_left_ == 0) {
    probing_.reset();
  }
  return {probe.mode, true};
}

void RateControl::start_probe(Instant now) {
  probing_ = probe_candidate(now);
  probe_frames_left_ = kProbeFrames;
}

void RateControl::note_peers(std::uint8_t peers, Instant now) {
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    Peer& peer = peers_[rank];
    const bool needed = ((peers >> rank) & 1U) != 0;
    if (needed && !peer.needed) {
      peer.readable_at = now;
    }
    if (!needed) {
      peer.view.reset();
      std::ranges::fill(peer.verdicts, std::nullopt);
    }
    peer.needed = needed;
  }
}

bool RateControl::any_silent(Instant now) const {
  return std::ranges::any_of(
      peers_, [&](const Peer& peer) { return peer.needed && now - peer.readable_at > kSilence; });
}

/// The smallest share that any needed receiver reports, once all have judged the probe.
std::optional<double> RateControl::probe_success(const Rung& rung,
                                                 std::size_t index,
                                                 Instant now) const {
  std::optional<double> worst;
  for (const Peer& peer : peers_) {
    if (!peer.needed) {
      continue;
    }
    const auto& verdict = peer.verdicts[index];
    if (!verdict || verdict->samples < kMinSamples) {
      return std::nullopt;
    }
    if (verdict->settled < rung.probed_in || now - verdict->at > kFreshReport) {
      return std::nullopt;
    }
    worst = std::min(worst.value_or(1.0), verdict->success);
  }
  return worst;
}

/// The smallest share of the current mode. One receiver in trouble is enough: it need not wait for
/// the others' reports.
double RateControl::current_success(Instant now) const {
  double worst = 1;
  for (const Peer& peer : peers_) {
    if (!peer.needed) {
      continue;
    }
    const bool headers_fail = now > peer.failing_since && now - peer.failing_since > kFailing;
    if (headers_fail && now - current_since_ > kSettling) {
      worst = 0;
    }
    const auto& verdict = peer.verdicts[current_];
    if (!verdict || verdict->samples < kMinCurrentSamples || verdict->settled < current_from_) {
      continue;
    }
    worst = std::min(worst, verdict->success);
  }
  return worst;
}

void RateControl::judge_current(Instant now) {
  if (current_ == 0) {
    return;
  }
  const double worst = current_success(now);
  if (worst >= kPoorSuccess) {
    if (now - current_since_ > kForgiven) {
      rungs_[current_].failures = 0;
    }
    return;
  }
  block(rungs_[current_], now);
  // What probes told before the channel changed is void.
  for (Rung& rung : rungs_) {
    rung.probed.reset();
  }
  step_to(worst < kTerribleSuccess ? current_ / 2 : current_ - 1, now);
}

void RateControl::judge_probes(Instant now) {
  std::size_t best = current_;
  const double current_bytes =
      current_success(now) * static_cast<double>(rungs_[current_].frame_bytes);
  for (std::size_t index = current_ + 1; index < rungs_.size(); ++index) {
    Rung& candidate = rungs_[index];
    if (!candidate.probed || now < candidate.blocked_until) {
      continue;
    }
    const auto success = probe_success(candidate, index, now);
    if (!success) {
      continue;
    }
    const double gain = *success * static_cast<double>(candidate.frame_bytes) / current_bytes;
    if (*success >= kGoodSuccess || (*success >= kFairSuccess && gain >= kFairGain)) {
      best = index;
    } else {
      block(candidate, now);
    }
  }
  if (best != current_) {
    step_to(best, now);
  }
}

void RateControl::step_to(std::size_t rung, Instant now) {
  current_ = rung;
  current_since_ = now;
  current_from_ = sequence_;
}

void RateControl::block(Rung& rung, Instant now) {
  rung.blocked_until = now + kFirstBlocking * (1 << std::min(rung.failures, kMaxDoublings));
  ++rung.failures;
  rung.probed.reset();
}

/// Among the faster modes that may be readable the fastest; once one has failed, the middle of
/// those below.
std::optional<std::size_t> RateControl::probe_candidate(Instant now) const {
  std::vector<std::size_t> candidates;
  bool one_has_failed = false;
  for (std::size_t rung = current_ + 1; rung < rungs_.size(); ++rung) {
    const Rung& candidate = rungs_[rung];
    one_has_failed = now < candidate.blocked_until;
    if (one_has_failed) {
      break;
    }
    if (candidate.probed && now - *candidate.probed < kProbeAnswer) {
      continue;
    }
    if (rung == current_ + 1 || predicted_readable(rung)) {
      candidates.push_back(rung);
    }
  }
  if (candidates.empty()) {
    return std::nullopt;
  }
  return one_has_failed ? candidates[candidates.size() / 2] : candidates.back();
}

bool RateControl::may_probe(const Demand& demand, Instant now) const {
  const bool all_report = std::ranges::all_of(
      peers_, [](const Peer& peer) { return !peer.needed || peer.view.has_value(); });
  if (demand.peers == 0 || !all_report || interrupts_probe(demand)) {
    return false;
  }
  if (!last_probe_) {
    return true;
  }
  const Duration pause = demand.idle                 ? kIdleProbePause
                         : demand.backlog_bytes != 0 ? kBusyProbePause
                                                     : kRareProbePause;
  return now - *last_probe_ >= pause;
}

/// A message that fits in a frame or two is not put at risk; a long one gains by a faster mode.
bool RateControl::interrupts_probe(const Demand& demand) const {
  return demand.backlog_bytes != 0 && demand.backlog_bytes <= 2 * rungs_[current_].frame_bytes;
}

bool RateControl::predicted_readable(std::size_t rung) const {
  return std::ranges::all_of(peers_, [&](const Peer& peer) {
    return !peer.needed ||
           (peer.view && predicted_margin_db(*peer.view, ladder_[peer.view->mode],
                                             ladder_[rungs_[rung].mode]) >= kLeastMarginDb);
  });
}

}  // namespace wccl::link
