#include "link/rate_control.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

constexpr std::array kHoldsToChoose{kTightHold, kCleanHold, kSafestHold};
constexpr int kFirstHold = kCleanHold;

// Blocks that are lost have to come again, a round trip later: they cost more than themselves.
constexpr double kGoodSuccess = 0.9;
// Nothing is learned from an idle sender's few blocks.
constexpr int kMinFrames = 3;
constexpr int kMinBlocks = 12;
constexpr std::size_t kFramesOfMode = 8;

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
// So many tell of both phases of the display.
constexpr std::uint64_t kFirstFrames = 4;
// Two of five phases are clean: before anything was measured the others count.
constexpr double kFirstMixed = 0.3;
// A guess that nothing has been measured of gives way to one that is so much better.
constexpr double kWorthAnotherGuess = 1.2;
// A choice that was good enough to be taken is not dropped for a prediction that has become a bit
// worse before receivers can have said what came of it.
constexpr Duration kTrial = 450ms;
constexpr double kTrialDoubtDb = 1.2;
constexpr double kTrialShare = 0.95;

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
constexpr double kCleanShare = 0.05;

double mixing_loss_db(double mixed) {
  return -20 * std::log10(1 - std::min(mixed, 0.5));
}

bool is_luma(const phy::Mode& mode) {
  return mode.colouring == phy::Colouring::kLuma;
}

}  // namespace

RateControl::RateControl(std::span<const phy::Mode> ladder,
                         const std::vector<std::size_t>& frame_bytes,
                         Duration refresh,
                         std::optional<int> hold)
    : ladder_(ladder),
      fixed_hold_(hold),
      pacing_(refresh, hold),
      views_(ladder),
      needs_(ladder.size()) {
  assert(frame_bytes.size() == ladder.size());
  for (std::size_t mode = 0; mode < ladder.size(); ++mode) {
    if (frame_bytes[mode] != 0) {
      rungs_.push_back({static_cast<phy::ModeId>(mode), frame_bytes[mode]});
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
  retreats_ = 0;
  if (ack.capture_period != 0) {
    pacing_.on_peer_period(rank, ack.capture_period * kPeriodUnit);
  }
  if (views_.on_ack(rank, ack, now)) {
    // What is still to come of frames before tells nothing of now.
    scene_from_ = sequence_ + 1;
    probe_.reset();
    needs_.on_new_scene();
  }
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

RateControl::Choice RateControl::choose(const Demand& demand,
                                        std::uint64_t sequence,
                                        std::uint64_t refresh,
                                        Instant now) {
  sequence_ = sequence;
  peers_ = demand.peers;
  views_.set_needed(demand.peers, demand.others, now);
  follow_cameras();
  needs_.forget(current_.hold, now);
  judge_phase(now);
  judge_probe(now);
  const bool meets = is_meeting(demand);
  if (views_.any_silent_for(pacing_.paced(kSilence), now)) {
    if (current_ != safest()) {
      distrust_current(now);
      step_to(safest(), now);
    }
  } else if (headers_fail(now)) {
    retreat(now);
  } else if (meets || !has_met_) {
    greet(now, meets ? kWorthAStep : kWorthAnotherGuess);
  } else if (demand.peers != 0 && views_.all_report()) {
    judge_current(now);
    choose_better(demand, now);
  }
  has_met_ = !meets;
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

/// Until there is something to send, or receivers have said what came of the first choice.
bool RateControl::is_meeting(const Demand& demand) const {
  return !has_met_ && demand.idle && !is_told();
}

RateControl::Choice RateControl::make_choice(Option option,
                                             bool probe,
                                             std::uint64_t sequence,
                                             std::uint64_t refresh) {
  const bool explores = !fixed_hold_ && (!has_met_ || sequence < kFirstFrames);
  if (explores) {
    // Frames of the longer hold are read at any phase of the display; the others tell of both.
    option.hold = sequence % 2 == 0 ? kCleanHold : kTightHold;
  }
  const int usual = pacing_.refreshes_of(option.hold);
  const int refreshes =
      Pacing::has_phase(option.hold) && !explores ? phase_.refreshes_at(refresh, usual) : usual;
  SentFrame frame;
  frame.sequence = sequence;
  frame.rung = option.rung;
  frame.hold = option.hold;
  frame.regular = refreshes == usual;
  frame.parity = DisplayPhase::parity_of(refresh, usual);
  log_.add(frame);
  return {rungs_[option.rung].mode, refreshes, probe};
}

void RateControl::note_sent(int blocks) {
  if (SentFrame* frame = log_.find(sequence_)) {
    frame->blocks = blocks;
  }
}

/// What came of shorter or longer frames tells nothing of those to come.
void RateControl::follow_cameras() {
  if (pacing_.follow(peers_)) {
    scene_from_ = sequence_;
    probe_.reset();
  }
}

void RateControl::judge_phase(Instant now) {
  for (const int parity : {1 - phase_.parity(), phase_.parity()}) {
    const bool is_here = parity == phase_.parity();
    std::uint64_t& latest = phase_latest_[static_cast<std::size_t>(parity)];
    const auto mixed = log_.mixed_shares(parity, is_here ? phase_from_ : 0, kPhaseFrames, peers_);
    const std::size_t enough = phase_.knows(parity) ? kPhaseFrames : 1;
    if (mixed.shares.empty() || mixed.frames < enough || (!is_here && mixed.latest <= latest)) {
      continue;
    }
    if (!is_here && is_about_to_know_phase() &&
        std::ranges::any_of(mixed.shares, [](double share) { return share > kCleanShare; })) {
      continue;
    }
    latest = mixed.latest;
    const std::uint64_t shifts = phase_.shifts();
    phase_.note(parity, mixed.shares, now);
    if (phase_.shifts() != shifts) {
      // The frame to come ends the old phase.
      phase_from_ = sequence_ + 1;
      return;
    }
  }
}

/// Frames that are the first to tell of the present phase are on their way, or have been reported:
/// there is no need to guess.
bool RateControl::is_about_to_know_phase() const {
  const int parity = phase_.parity();
  return !phase_.knows(parity) &&
         (log_.is_on_its_way(parity) ||
          log_.mixed_shares(parity, phase_from_, kPhaseFrames, peers_).frames > 0);
}

void RateControl::judge_probe(Instant now) {
  if (!probe_ || probe_->frames_left > 0) {
    return;
  }
  const Probe probe = *probe_;
  const auto measured = log_.measure(
      {probe.option.rung, probe.option.hold, probe.first, probe.last, kProbeFrames}, peers_);
  if (!log_.is_reported(probe.last, peers_) && now - probe.sent < pacing_.paced(kProbeAnswer)) {
    return;
  }
  probe_.reset();
  no_probe_before_ = now + pacing_.paced(kProbePause);
  // Frames of a phase that has been left tell nothing of the one to come.
  const bool is_shifted = Pacing::has_phase(probe.option.hold) && phase_from_ > probe.first;
  if (!measured || measured->frames < kMinProbeFrames || is_shifted) {
    return;
  }
  needs_.learn_from_probe(probe.option.rung, probe.option.hold, margin_db(probe.option, now),
                          measured->success, margin_db(current_, now), current_.hold);
  const auto present = measure_current();
  const double present_share =
      present ? present->success : share_of_blocks(spare_db(current_, now));
  if (value(probe.option, measured->success) > kWorthAProbe * value(current_, present_share)) {
    step_to(probe.option, now);
  }
}

FrameQuery RateControl::frames_of_current() const {
  return {current_.rung, current_.hold, std::max(current_from_, scene_from_), sequence_,
          kFramesOfMode};
}

/// What came of the present choice, as it is shown now.
std::optional<Measured> RateControl::measure_current() const {
  FrameQuery query = frames_of_current();
  if (Pacing::has_phase(current_.hold)) {
    query.parity = phase_.parity();
  }
  return log_.measure(query, peers_);
}

/// Receivers have said what came of the present choice, at whatever phase of the display.
bool RateControl::is_told() const {
  const auto measured = log_.measure(frames_of_current(), peers_);
  return current_.rung > 0 && measured && measured->frames >= kMinFrames;
}

void RateControl::judge_current(Instant now) {
  const auto measured = measure_current();
  if (measured && measured->frames >= kMinFrames && measured->blocks >= kMinBlocks) {
    needs_.learn(current_.hold, margin_db(current_, now), measured->success);
  }
}

/// Nothing gets through, so receivers cannot say what would: what this node sees of them has to do,
/// and each further time less of it is believed.
void RateControl::retreat(Instant now) {
  Option target = safest();
  const double least_db = kRetreatDb + kFurtherRetreatDb * retreats_;
  for (const Option& option : options_) {
    if (bytes_per_refresh(option) > kRetreatShare * bytes_per_refresh(current_) ||
        bytes_per_refresh(option) <= bytes_per_refresh(target)) {
      continue;
    }
    if (views_.mirrored_margin_db(mode_of(option)) >=
        NeedModel::first_need_db(option.hold) + least_db) {
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
  const double failed_db = views_.margin(mode_of(current_)).db;
  if (current_.rung == 0 || !std::isfinite(failed_db)) {
    return;
  }
  const double promised = std::max(spare_db(current_, now), 0.0);
  std::vector<bool> needs_more(ladder_.size());
  for (std::size_t rung = 1; rung < rungs_.size(); ++rung) {
    needs_more[rung] = views_.margin(mode_of({rung, 0})).db <= failed_db;
  }
  needs_.distrust(needs_.bias_db(current_.rung) - promised - kRetreatBiasDb, needs_more);
}

/// While there is nothing to send a wrong guess costs nothing, and receivers' equalisers need some
/// captures of a mode's cells.
/// @param enough  So much better a riskier choice must be: more once something waits to be sent.
void RateControl::greet(Instant now, double enough) {
  if (!views_.all_known()) {
    return;
  }
  const Worth best = best_guess(now);
  const bool is_riskier = spare_db(best.option, now) < spare_db(current_, now);
  const double least = is_riskier ? enough : kWorthAStep;
  if (best.option != current_ && best.value > least * guess(current_, now)) {
    step_to(best.option, now);
  }
}

/// What an option should bring, by what it has to spare.
double RateControl::guess(Option option, Instant now) const {
  return value(option, share_of_blocks(spare_db(option, now)));
}

RateControl::Worth RateControl::best_guess(Instant now) const {
  Worth best{current_, guess(current_, now)};
  for (const Option& option : options_) {
    const double worth = guess(option, now);
    if (worth > best.value) {
      best = {option, worth};
    }
  }
  return best;
}

/// What the present choice brings, as measured or, until then, as predicted.
double RateControl::present_value(Instant now) const {
  const auto measured = measure_current();
  if (measured && measured->frames >= kMinFrames) {
    return value(current_, measured->success);
  }
  const double spare = spare_db(current_, now);
  const bool is_on_trial = now - current_since_ < pacing_.paced(kTrial) && spare > -kTrialDoubtDb;
  return value(current_, std::max(share_of_blocks(spare), is_on_trial ? kTrialShare : 0.0));
}

/// What an option has to have to spare to be taken without a probe.
double RateControl::safe_db(Option option) const {
  const bool luma_view = is_luma(mode_of(current_)) && !is_luma(mode_of(option));
  const bool new_hold = option.hold == kTightHold && current_.hold != kTightHold;
  const double doubt =
      std::max(0.0, NeedModel::first_need_db(option.hold) - needs_.need_db(option.hold));
  return kSafeDb + doubt + (luma_view ? kRoughDb : 0) + (new_hold ? kRoughDb : 0);
}

void RateControl::choose_better(const Demand& demand, Instant now) {
  is_tried_ = is_tried_ || is_told();
  const double present = present_value(now);
  const double present_spare = spare_db(current_, now);
  Worth best{current_, present};
  Worth best_safe = best;
  for (const Option& option : options_) {
    if (option == current_) {
      continue;
    }
    const double spare = spare_db(option, now);
    const Worth worth{option, value(option, share_of_blocks(spare))};
    if (worth.value > best.value) {
      best = worth;
    }
    const bool is_safe = spare >= safe_db(option) ||
                         (spare >= present_spare && option.hold >= current_.hold) ||
                         (!is_tried_ && !views_.is_guess());
    if (is_safe && worth.value > best_safe.value) {
      best_safe = worth;
    }
  }
  const bool may_step = now - current_since_ >= pacing_.paced(kStepPause) || !is_tried_;
  const double enough = !is_tried_                        ? kWorthAnotherGuess
                        : best_safe.option == best.option ? kWorthAStep
                                                          : kWorthTwoSteps;
  if (best_safe.value > enough * present && may_step) {
    step_to(best_safe.option, now);
    return;
  }
  if (best.value > kWorthAProbe * present && !probe_ && now >= no_probe_before_ &&
      now - current_since_ >= pacing_.paced(kStepPause) && !interrupts_probe(demand) &&
      (is_luma(mode_of(current_)) || views_.all_report_colours())) {
    probe_ = Probe{best.option, kProbeFrames, sequence_, sequence_, now};
  }
}

void RateControl::step_to(Option option, Instant now) {
  current_ = option;
  current_since_ = now;
  current_from_ = sequence_;
  probe_.reset();
}

bool RateControl::headers_fail(Instant now) const {
  return now - current_since_ > pacing_.paced(kSettling) &&
         views_.any_failing_for(pacing_.paced(kFailing), now);
}

/// A message that fits in a frame or two is not put at risk; a long one gains by a faster mode.
bool RateControl::interrupts_probe(const Demand& demand) const {
  return demand.backlog_bytes != 0 && demand.backlog_bytes <= 2 * rungs_[current_.rung].frame_bytes;
}

const phy::Mode& RateControl::mode_of(Option option) const {
  return ladder_[rungs_[option.rung].mode];
}

RateControl::Option RateControl::safest() const {
  return {0, fixed_hold_.value_or(kSafestHold)};
}

double RateControl::margin_db(Option option, Instant now) const {
  const bool is_unknown = !is_tried_ && !phase_.knows(0) && !phase_.knows(1);
  const double mixed = is_unknown ? kFirstMixed : phase_.expected_mixed(now);
  const double mixing = Pacing::has_phase(option.hold) ? mixing_loss_db(mixed) : 0;
  return views_.margin(mode_of(option)).db + needs_.bias_db(option.rung) - mixing;
}

double RateControl::spare_db(Option option, Instant now) const {
  return margin_db(option, now) - needs_.need_db(option.hold);
}

double RateControl::bytes_per_refresh(Option option) const {
  return static_cast<double>(rungs_[option.rung].frame_bytes) / pacing_.refreshes_of(option.hold);
}

double RateControl::value(Option option, double success) const {
  return bytes_per_refresh(option) * success * std::min(1.0, success / kGoodSuccess);
}

RateControl::State RateControl::state(Instant now) const {
  State state;
  state.mode = mode();
  state.hold = hold();
  const Margin weakest = views_.margin(mode_of(current_));
  state.margin_db = weakest.db;
  state.channel = weakest.channel;
  if (const auto measured = measure_current()) {
    state.success = measured->success;
  }
  state.mixed = phase_.expected_mixed(now);
  return state;
}

}  // namespace wccl::link
