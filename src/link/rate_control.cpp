#include "link/rate_control.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

// A capture period of the slowest receiver, as much as it takes to see every frame clean once, and
// two periods; the numbers are refreshes with usual cameras.
constexpr std::array kHoldsToChoose{2, 3, 4};
constexpr int kTightHold = 2;
constexpr int kFirstHold = 3;
constexpr int kSafestHold = 4;

// What a mode has to spare in one capture to deliver, to begin with: frames that stay longer are
// seen more often. From face_1080p, side_view and dim.
constexpr std::array<double, 5> kFirstNeedDb{0.4, 0.4, 0.4, -0.3, -0.8};
// The share of blocks that decode, against what a mode has to spare: blocks of one layer fail
// together, those of several one layer after the other.
constexpr double kShareAtNeed = 0.95;
constexpr double kSharePerDb = 0.55;
// Longer holds help by no more than this.
constexpr double kMostHoldGainDb = 2.5;
// Blocks that are lost have to come again, a round trip later: they cost more than themselves.
constexpr double kGoodSuccess = 0.9;
// Nothing is learned from an idle sender's few blocks.
constexpr int kMinFrames = 3;
constexpr int kMinBlocks = 12;
constexpr std::size_t kFramesOfMode = 8;
constexpr double kLearnSlowly = 0.15;
constexpr double kLearnFast = 0.6;
constexpr double kPoorSuccess = 0.75;
// Needs are forgotten, so that a mode that failed is tried again: by so much a second, at first.
constexpr double kForgetDbPerS = 0.12;
constexpr double kMostPatience = 15;
// So much too pessimistic the model may be.
constexpr double kMostDoubtDb = 6;
constexpr double kBiasLifeS = 10;
constexpr int kMostDoublings = 3;
// A channel that changes by this much at once is another one: what failed before may work.
constexpr double kJumpDb = 1.5;
constexpr double kLumaJumpDb = 4;  // Its curve is a rough one.
constexpr double kUsualMemory = 0.95;
constexpr double kStirDb = 1.0;  // A view that changes by so much is not averaged with the last.
constexpr double kViewMemory = 0.5;

// A better choice is worth a change when it brings this much more.
constexpr double kWorthAProbe = 1.05;
constexpr double kWorthAStep = 1.08;
constexpr double kWorthTwoSteps = 1.3;
// With this much to spare a mode needs no probe; more where the prediction is rougher.
constexpr double kSafeDb = 1.0;
constexpr double kRoughDb = 1.0;
constexpr int kProbeFrames = 4;
constexpr int kMinProbeFrames = 2;
constexpr Duration kProbeAnswer = 800ms;
constexpr Duration kProbePause = 300ms;
// So long after a step nothing is known of it.
constexpr Duration kStepPause = 250ms;

// A silent receiver may not be able to read us at all.
constexpr Duration kSilence = 1500ms;
// Headers that have said for so long that hardly anything decodes are believed.
constexpr Duration kFailing = 200ms;
// So long after a change headers may still tell of the mode before it.
constexpr Duration kSettling = 500ms;
constexpr double kRetreatShare = 0.6;
constexpr double kRetreatDb = 1;
constexpr double kFurtherRetreatDb = 3;
constexpr double kRetreatBiasDb = 1.5;

constexpr std::size_t kPhaseFrames = 3;

// A frame that is to be seen clean at least once, whatever the phase, stays for a capture period
// and so much more: an exposure and a panel's settling. Usual cameras expose for less.
constexpr int kCleanRefreshes = 2;
constexpr int kUsualCleanRefreshes = 1;
// Refreshes, and share of the period in use, by which another one must differ to be taken up.
constexpr double kOtherPeriod = 0.6;
constexpr double kOtherPeriodShare = 0.05;
// Of a refresh: periods are measured, and 2.1 refreshes are 2.
constexpr double kPeriodTolerance = 0.25;

double share_of(double spare_db) {
  return std::clamp(kShareAtNeed + kSharePerDb * spare_db, 0.0, 0.99);
}

double mixing_loss_db(double mixed) {
  return -20 * std::log10(1 - std::min(mixed, 0.5));
}

std::size_t need_index(int hold) {
  return static_cast<std::size_t>(std::clamp(hold, 0, kSafestHold));
}

}  // namespace

RateControl::RateControl(std::span<const phy::Mode> ladder,
                         const std::vector<std::size_t>& frame_bytes,
                         Duration refresh,
                         std::optional<int> hold)
    : ladder_(ladder), refresh_(refresh), fixed_hold_(hold), need_db_(kFirstNeedDb) {
  assert(frame_bytes.size() == ladder.size());
  for (std::size_t mode = 0; mode < ladder.size(); ++mode) {
    if (frame_bytes[mode] != 0) {
      rungs_.push_back({static_cast<phy::ModeId>(mode), frame_bytes[mode], 0});
    }
  }
  assert(!rungs_.empty());
  std::ranges::stable_sort(rungs_, {}, &Rung::frame_bytes);
  for (std::size_t rung = 0; rung < rungs_.size(); ++rung) {
    if (hold) {
      options_.push_back({rung, *hold});
      continue;
    }
    for (const int each : kHoldsToChoose) {
      options_.push_back({rung, each});
    }
  }
  current_ = {0, hold.value_or(kFirstHold)};
}

void RateControl::on_ack(Rank rank,
                         const AckPacket& ack,
                         std::optional<std::uint64_t> settled,
                         Instant now) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  peer.readable_at = now;
  retreats_ = 0;
  if (ack.capture_period != 0) {
    peer.period = ack.capture_period * kPeriodUnit;
  }
  take_view(peer, ack);
  for (std::size_t age = 0; settled && age < ack.frames.size() && age <= *settled; ++age) {
    SentFrame* frame = log_.find(*settled - age);
    if (frame == nullptr) {
      continue;
    }
    const FrameReport& report = ack.frames[age];
    frame->outcomes[static_cast<std::size_t>(rank)] =
        FrameOutcome{report.blocks_ok, report.purity > 0 ? share_of_purity(report.purity) : 0};
  }
}

void RateControl::take_view(Peer& peer, const AckPacket& ack) {
  if (ack.quality_mode >= ladder_.size() || ack.cell_px == 0) {
    return;
  }
  ViewQuality view{ack.quality_mode, {}, ack.cell_px / 8.0};
  for (std::size_t i = 0; i < view.snr_db.size(); ++i) {
    view.snr_db[i] = ack.snr[i] / 4.0 + kLeastSnrDb;
  }
  const bool same_mode = peer.view && peer.view->mode == view.mode;
  const std::size_t judged = ladder_[view.mode].colouring == phy::Colouring::kLuma ? 0 : 1;
  if (same_mode && std::abs(view.snr_db[judged] - peer.view->snr_db[judged]) < kStirDb) {
    for (std::size_t i = 0; i < view.snr_db.size(); ++i) {
      view.snr_db[i] += kViewMemory * (peer.view->snr_db[i] - view.snr_db[i]);
    }
  }
  peer.view = view;
  peer.margins.clear();
  for (const Rung& rung : rungs_) {
    peer.margins.push_back(predict_margin(view, ladder_[view.mode], ladder_[rung.mode]));
  }
  watch_for_jump(peer);
}

/// In another scene nothing holds that failures taught. Views of luma and of colour are compared
/// among themselves.
void RateControl::watch_for_jump(Peer& peer) {
  const bool is_luma = ladder_[peer.view->mode].colouring == phy::Colouring::kLuma;
  const auto first = std::ranges::find_if(rungs_, [&](const Rung& rung) {
    return (ladder_[rung.mode].colouring == phy::Colouring::kLuma) == is_luma;
  });
  if (first == rungs_.end()) {
    return;
  }
  const double db = peer.margins[static_cast<std::size_t>(first - rungs_.begin())].db;
  if (!std::isfinite(db)) {
    return;
  }
  std::optional<double>& usual_db = is_luma ? peer.usual_luma_db : peer.usual_colour_db;
  if (usual_db && std::abs(db - *usual_db) < (is_luma ? kLumaJumpDb : kJumpDb)) {
    *usual_db = kUsualMemory * *usual_db + (1 - kUsualMemory) * db;
    return;
  }
  usual_db = db;
  // What is still to come of frames before tells nothing of now.
  current_from_ = sequence_ + 1;
  probe_.reset();
  patience_.fill(0);
  distrusts_ = 0;
  for (std::size_t hold = 0; hold < kHolds; ++hold) {
    need_db_[hold] = std::min(need_db_[hold], kFirstNeedDb[hold]);
  }
  for (Rung& rung : rungs_) {
    rung.bias_db = 0;
  }
}

void RateControl::on_view(Rank rank, const ViewQuality& view) {
  peers_[static_cast<std::size_t>(rank)].seen_here = view;
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

RateControl::Choice RateControl::choose(const Demand& demand,
                                        std::uint64_t sequence,
                                        std::uint64_t refresh,
                                        Instant now) {
  sequence_ = sequence;
  note_peers(demand, now);
  follow_cameras();
  update_needs(now);
  judge_phase(now);
  judge_probe(now);
  if (any_silent(now)) {
    const Option safest{0, fixed_hold_.value_or(kSafestHold)};
    if (current_ != safest) {
      distrust_current(now);
      step_to(safest, now);
    }
  } else if (headers_fail(now)) {
    retreat(now);
  } else if (demand.peers != 0 && all_report()) {
    judge_current(now);
    choose_better(demand, now);
  }
  if (!probe_ || probe_->frames_left == 0 || interrupts_probe(demand)) {
    if (probe_ && probe_->frames_left > 0) {
      probe_.reset();
    }
    return make_choice(current_, false, sequence, refresh);
  }
  --probe_->frames_left;
  probe_->last = sequence;
  probe_->sent = now;
  return make_choice(probe_->option, true, sequence, refresh);
}

RateControl::Choice RateControl::make_choice(Option option,
                                             bool probe,
                                             std::uint64_t sequence,
                                             std::uint64_t refresh) {
  const int usual = refreshes_of(option.hold);
  const int refreshes = has_phase(option.hold) ? phase_.refreshes_at(refresh, usual) : usual;
  SentFrame frame;
  frame.sequence = sequence;
  frame.rung = option.rung;
  frame.hold = option.hold;
  frame.parity = DisplayPhase::parity_of(refresh, usual);
  frame.counts =
      refreshes == usual && !log_.frames().empty() && log_.frames().back().rung == option.rung;
  log_.add(frame);
  return {rungs_[option.rung].mode, refreshes, probe};
}

void RateControl::note_sent(int blocks) {
  if (SentFrame* frame = log_.find(sequence_)) {
    frame->blocks = blocks;
  }
}

void RateControl::note_peers(const Demand& demand, Instant now) {
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    Peer& peer = peers_[rank];
    const bool needed = ((demand.peers >> rank) & 1U) != 0;
    const bool in_view = needed || ((demand.others >> rank) & 1U) != 0;
    if (needed && !peer.needed) {
      peer.readable_at = now;
    }
    if (!in_view) {
      peer.view.reset();
      peer.margins.clear();
    }
    peer.needed = needed;
  }
}

/// Time makes a mode that failed worth another try.
void RateControl::update_needs(Instant now) {
  const double seconds = std::clamp(to_seconds(now) - to_seconds(needs_at_), 0.0, 1.0);
  needs_at_ = now;
  for (std::size_t hold = 0; hold < kHolds; ++hold) {
    const double step = kForgetDbPerS / (1 + patience_[hold]) * seconds;
    // Of holds that are not in use nobody would say that the doubt was wrong.
    const double least_db = hold == need_index(current_.hold)
                                ? kFirstNeedDb[hold] - kMostDoubtDb
                                : std::min(need_db_[hold], kFirstNeedDb[hold]);
    need_db_[hold] = std::max(need_db_[hold] - step, least_db);
  }
  for (Rung& rung : rungs_) {
    rung.bias_db *=
        std::exp(-seconds / (kBiasLifeS * (1 << std::clamp(distrusts_ - 1, 0, kMostDoublings))));
  }
}

/// Frames must stay as long as the slowest camera needs, and answers take as long as both need.
void RateControl::follow_cameras() {
  Duration slowest{};
  for (const Peer& peer : peers_) {
    if (peer.needed) {
      // Until a peer has told, its camera is taken to be like this node's.
      slowest = std::max(slowest, peer.period.value_or(own_period_));
    }
  }
  slowdown_ = slowdown_of_round_trip(std::max(slowest, own_period_));
  const double periods = to_seconds(slowest) / to_seconds(refresh_);
  const int refreshes =
      std::max(kUsualRefreshes, static_cast<int>(std::ceil(periods - kPeriodTolerance)));
  if (refreshes == capture_refreshes_ ||
      std::abs(periods - capture_refreshes_) <
          kOtherPeriod + kOtherPeriodShare * capture_refreshes_) {
    return;
  }
  capture_refreshes_ = refreshes;
  // What came of shorter or longer frames tells nothing of those to come.
  current_from_ = sequence_;
  probe_.reset();
}

/// How many refreshes a frame stays on the panel.
int RateControl::refreshes_of(int hold) const {
  if (fixed_hold_) {
    return *fixed_hold_;
  }
  if (hold == kFirstHold) {
    return capture_refreshes_ +
           (capture_refreshes_ == kUsualRefreshes ? kUsualCleanRefreshes : kCleanRefreshes);
  }
  return hold * capture_refreshes_ / 2;
}

/// Whether each capture shows the same mixture of frames, so that a shift of the display helps.
bool RateControl::has_phase(int hold) {
  return hold == kTightHold;
}

/// How long that takes between cameras like these.
Duration RateControl::paced(Duration duration) const {
  return from_seconds(slowdown_ * to_seconds(duration));
}

void RateControl::judge_phase(Instant now) {
  std::vector<double> mixed;
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    if (!peers_[rank].needed) {
      continue;
    }
    double sum = 0;
    std::size_t n = 0;
    const auto& frames = log_.frames();
    for (auto frame = frames.rbegin(); frame != frames.rend() && n < kPhaseFrames; ++frame) {
      const auto& outcome = frame->outcomes[rank];
      if (frame->sequence < phase_from_ || frame->hold != 2 || frame->parity != phase_.parity()) {
        continue;
      }
      if (outcome && outcome->purity > 0) {
        sum += 1 - outcome->purity;
        ++n;
      }
    }
    if (n < kPhaseFrames) {
      return;
    }
    mixed.push_back(sum / static_cast<double>(n));
  }
  const std::uint64_t shifts = phase_.shifts();
  phase_.note(phase_.parity(), mixed, now);
  if (phase_.shifts() != shifts) {
    // The frame to come ends the old phase.
    phase_from_ = sequence_ + 1;
    current_from_ = sequence_ + 1;
  }
}

/// What a receiver's blocks say of frames of one option; of the worst receiver.
std::optional<RateControl::Measured> RateControl::measure(Option option,
                                                          std::uint64_t from,
                                                          std::uint64_t to,
                                                          std::size_t most) const {
  std::optional<Measured> worst;
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    if (!peers_[rank].needed) {
      continue;
    }
    Measured sum{0, 0, 0};
    double ok = 0;
    const auto& frames = log_.frames();
    for (auto it = frames.rbegin(); it != frames.rend(); ++it) {
      if (it->sequence < from || sum.frames == static_cast<int>(most)) {
        break;
      }
      const auto& outcome = it->outcomes[rank];
      if (it->sequence > to || !it->counts || Option{it->rung, it->hold} != option || !outcome) {
        continue;
      }
      ok += std::min(outcome->blocks_ok, it->blocks);
      sum.blocks += it->blocks;
      ++sum.frames;
    }
    if (sum.frames == 0) {
      return std::nullopt;
    }
    sum.success = ok / std::max(sum.blocks, 1);
    if (!worst || sum.success < worst->success) {
      worst = sum;
    }
  }
  return worst;
}

/// Outer loop: moves what is needed to where it explains what decoded.
void RateControl::learn(Option option, const Measured& measured, double weight, Instant now) {
  const std::size_t h = need_index(option.hold);
  const double margin_db = spare_db(option, now) + need_db_[h];
  if (!std::isfinite(margin_db)) {
    return;
  }
  if (measured.success >= 0.97) {
    for (std::size_t hold = h; hold < kHolds; ++hold) {
      need_db_[hold] = std::min(need_db_[hold], margin_db);
    }
    return;
  }
  const double implied =
      margin_db - std::max((measured.success - kShareAtNeed) / kSharePerDb, -1.7);
  double& need = need_db_[h];
  if (option == current_) {
    need += weight * (implied - need);
  } else if (implied > need) {
    // A mode that works proves what suffices: the rest is the model's error for this one.
    const double proven = spare_db(current_, now) + need_db_[need_index(current_.hold)];
    const bool same_hold = current_.hold == option.hold;
    const double raised = same_hold ? std::max(need, std::min(implied, proven)) : implied;
    rungs_[option.rung].bias_db -= implied - raised;
    need = raised;
    patience_[h] = std::min(2 * patience_[h] + 1, kMostPatience);
  }
  for (std::size_t hold = 0; hold < kHolds; ++hold) {
    const double gain_db = hold > h ? kMostHoldGainDb : 0;
    need_db_[hold] = std::max(need_db_[hold], need - gain_db);
  }
}

void RateControl::judge_probe(Instant now) {
  if (!probe_ || probe_->frames_left > 0) {
    return;
  }
  const Probe probe = *probe_;
  const auto measured = measure(probe.option, probe.first, probe.last, kProbeFrames);
  const SentFrame* last = log_.find(probe.last);
  bool all_judged = last != nullptr;
  for (std::size_t rank = 0; all_judged && rank < peers_.size(); ++rank) {
    all_judged = !peers_[rank].needed || last->outcomes[rank].has_value();
  }
  if (!all_judged && now - probe.sent < paced(kProbeAnswer)) {
    return;
  }
  probe_.reset();
  no_probe_before_ = now + paced(kProbePause);
  // Frames of a phase that has been left tell nothing of the one to come.
  const bool is_shifted = probe.option.hold == 2 && phase_from_ > probe.first;
  if (!measured || measured->frames < kMinProbeFrames || is_shifted) {
    return;
  }
  learn(probe.option, *measured, 1, now);
  const auto present = measure(current_, current_from_, sequence_, kFramesOfMode);
  const double present_share = present ? present->success : share_of(spare_db(current_, now));
  if (value(probe.option, measured->success) > kWorthAProbe * value(current_, present_share)) {
    step_to(probe.option, now);
  }
}

void RateControl::judge_current(Instant now) {
  const auto measured = measure(current_, current_from_, sequence_, kFramesOfMode);
  if (measured && measured->frames >= kMinFrames && measured->blocks >= kMinBlocks) {
    learn(current_, *measured, measured->success < kPoorSuccess ? kLearnFast : kLearnSlowly, now);
  }
}

/// Nothing gets through, so receivers cannot say what would: what this node sees of them has to do,
/// and each further time less of it is believed.
void RateControl::retreat(Instant now) {
  Option target{0, fixed_hold_.value_or(kSafestHold)};
  const double least_db = kRetreatDb + kFurtherRetreatDb * retreats_;
  for (const Option& option : options_) {
    if (bytes_per_refresh(option) > kRetreatShare * bytes_per_refresh(current_) ||
        bytes_per_refresh(option) <= bytes_per_refresh(target)) {
      continue;
    }
    const bool is_readable = std::ranges::all_of(peers_, [&](const Peer& peer) {
      return !peer.needed ||
             (peer.seen_here && predict_margin(*peer.seen_here, ladder_[peer.seen_here->mode],
                                               ladder_[rungs_[option.rung].mode])
                                        .db >= kFirstNeedDb[need_index(option.hold)] + least_db);
    });
    if (is_readable) {
      target = option;
    }
  }
  ++retreats_;
  distrust_current(now);
  if (target != current_) {
    step_to(target, now);
  } else {
    current_since_ = now;
  }
}

/// The mode failed, whatever the last view promised, and so would all that need more.
void RateControl::distrust_current(Instant now) {
  if (current_.rung == 0) {
    return;
  }
  const double promised = std::max(spare_db(current_, now), 0.0);
  const double failed_db = margin(current_.rung).db;
  if (!std::isfinite(failed_db)) {
    return;
  }
  const double bias = rungs_[current_.rung].bias_db - promised - kRetreatBiasDb;
  ++distrusts_;
  for (std::size_t rung = 1; rung < rungs_.size(); ++rung) {
    if (margin(rung).db <= failed_db) {
      rungs_[rung].bias_db = std::min(rungs_[rung].bias_db, bias);
    }
  }
}

void RateControl::choose_better(const Demand& demand, Instant now) {
  const auto measured = measure(current_, current_from_, sequence_, kFramesOfMode);
  const bool is_known = measured && measured->frames >= kMinFrames;
  const double present =
      value(current_, is_known ? measured->success : share_of(spare_db(current_, now)));
  const double present_spare = spare_db(current_, now);
  Option best = current_;
  Option best_safe = current_;
  double best_value = present;
  double best_safe_value = present;
  for (const Option& option : options_) {
    if (option == current_) {
      continue;
    }
    const double spare = spare_db(option, now);
    const double worth = value(option, share_of(spare));
    if (worth > best_value) {
      best = option;
      best_value = worth;
    }
    const bool luma_view = ladder_[rungs_[current_.rung].mode].colouring == phy::Colouring::kLuma &&
                           ladder_[rungs_[option.rung].mode].colouring != phy::Colouring::kLuma;
    const bool new_hold = option.hold == 2 && current_.hold != 2;
    const double doubt =
        std::max(0.0, kFirstNeedDb[need_index(option.hold)] - need_db_[need_index(option.hold)]);
    const double safe = kSafeDb + doubt + (luma_view ? kRoughDb : 0) + (new_hold ? kRoughDb : 0);
    if ((spare >= safe || (spare >= present_spare && option.hold >= current_.hold)) &&
        worth > best_safe_value) {
      best_safe = option;
      best_safe_value = worth;
    }
  }
  const double enough = best_safe == best ? kWorthAStep : kWorthTwoSteps;
  if (best_safe_value > enough * present && now - current_since_ >= paced(kStepPause)) {
    step_to(best_safe, now);
    return;
  }
  if (best_value > kWorthAProbe * present && !probe_ && now >= no_probe_before_ &&
      now - current_since_ >= paced(kStepPause) && !interrupts_probe(demand)) {
    probe_ = Probe{best, kProbeFrames, sequence_, sequence_, now};
  }
}

void RateControl::step_to(Option option, Instant now) {
  current_ = option;
  current_since_ = now;
  current_from_ = sequence_;
  probe_.reset();
}

bool RateControl::any_silent(Instant now) const {
  return std::ranges::any_of(peers_, [&](const Peer& peer) {
    return peer.needed && now - peer.readable_at > paced(kSilence);
  });
}

bool RateControl::headers_fail(Instant now) const {
  return now - current_since_ > paced(kSettling) &&
         std::ranges::any_of(peers_, [&](const Peer& peer) {
           return peer.needed && now > peer.failing_since &&
                  now - peer.failing_since > paced(kFailing);
         });
}

bool RateControl::all_report() const {
  return std::ranges::all_of(
      peers_, [](const Peer& peer) { return !peer.needed || peer.view.has_value(); });
}

/// A message that fits in a frame or two is not put at risk; a long one gains by a faster mode.
bool RateControl::interrupts_probe(const Demand& demand) const {
  return demand.backlog_bytes != 0 && demand.backlog_bytes <= 2 * rungs_[current_.rung].frame_bytes;
}

Margin RateControl::margin(std::size_t rung) const {
  Margin worst{std::numeric_limits<double>::infinity(), 0};
  for (const Peer& peer : peers_) {
    if (!peer.needed) {
      continue;
    }
    const Margin here = peer.margins.empty() ? Margin{-std::numeric_limits<double>::infinity(), 0}
                                             : peer.margins[rung];
    if (here.db < worst.db) {
      worst = here;
    }
  }
  return worst;
}

double RateControl::spare_db(Option option, Instant now) const {
  const double mixing = has_phase(option.hold) ? mixing_loss_db(phase_.expected_mixed(now)) : 0;
  return margin(option.rung).db + rungs_[option.rung].bias_db - mixing -
         need_db_[need_index(option.hold)];
}

double RateControl::bytes_per_refresh(Option option) const {
  return static_cast<double>(rungs_[option.rung].frame_bytes) / refreshes_of(option.hold);
}

double RateControl::value(Option option, double success) const {
  return bytes_per_refresh(option) * success * std::min(1.0, success / kGoodSuccess);
}

RateControl::State RateControl::state(Instant now) const {
  State state;
  state.mode = mode();
  state.hold = hold();
  const Margin weakest = margin(current_.rung);
  state.margin_db = weakest.db;
  state.channel = weakest.channel;
  if (const auto measured = measure(current_, current_from_, sequence_, kFramesOfMode)) {
    state.success = measured->success;
  }
  state.mixed = phase_.expected_mixed(now);
  return state;
}

}  // namespace wccl::link
