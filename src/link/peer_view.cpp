#include "link/peer_view.h"

#include <algorithm>
#include <cmath>

namespace wccl::link {
namespace {

// Captures with measured colours until a peer counts as found: one could be a reflection's flash.
constexpr int kCapturesToFind = 3;
// Mean luma of bright above dark cells, of 255: less is no screen that shows frames.
constexpr double kMinContrast = 8;
constexpr std::size_t kMaxPastEpochs = 8;
// Frames that are remembered: the reported ones, and those that are not settled yet.
constexpr std::size_t kMaxTallies = kMaxFrameReports + 8;
// Weight of the past when a frame's blocks are added: about three frames count.
constexpr double kModeMemory = 0.7;
// After so many captures without frames of a mode, what was known of it is forgotten when one
// comes.
constexpr int kModeMemoryCaptures = 30;
// Modes of frames that passed within so many captures are in use.
constexpr int kLatestCaptures = 9;
// Blocks that a mode's first frame is taken to have borne when its status could not be read.
constexpr double kAssumedBlocks = 8;

std::uint8_t to_fixed(double value, double scale) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value * scale, 0.0, 255.0)));
}

bool colours_measured(const phy::ScreenQuality& quality) {
  return quality.levels[1][0] - quality.levels[0][0] >= kMinContrast;
}

}  // namespace

PeerView::FrameVerdict PeerView::on_frame(const phy::FrameReception& frame, Instant now) {
  const FrameVerdict verdict = judge_epoch(frame);
  if (verdict == FrameVerdict::kDropped) {
    return verdict;
  }
  accepted_in_capture_ = true;
  const std::uint16_t sequence = frame.header.sequence;
  // After long absence the counter may have gone round: distances mean nothing.
  if (unseen_for_long(now)) {
    forget_frames();
  }
  if (!newest_ || sequence_distance(*newest_, sequence) > 0) {
    newest_ = sequence;
    ++frames_;
    feedback_ = frame.header.feedback;
    mode_ = frame.header.mode;
  }
  count_blocks(frame);
  return verdict;
}

PeerView::FrameVerdict PeerView::judge_epoch(const phy::FrameReception& frame) {
  const phy::FrameHeader& header = frame.header;
  if (epoch_ == header.epoch) {
    return FrameVerdict::kAccepted;
  }
  if (std::ranges::find(past_epochs_, header.epoch) != past_epochs_.end()) {
    return FrameVerdict::kDropped;
  }
  // A header's CRC has 16 bits: before it may void a session, a block or a second frame confirms
  // it.
  const bool confirmed =
      !frame.blocks.empty() || (unconfirmed_ && unconfirmed_->epoch == header.epoch &&
                                unconfirmed_->sequence != header.sequence);
  if (!confirmed) {
    unconfirmed_ = header;
    return FrameVerdict::kDropped;
  }
  const bool restarted = epoch_.has_value();
  start_epoch(header.epoch);
  return restarted ? FrameVerdict::kRestarted : FrameVerdict::kAccepted;
}

void PeerView::start_epoch(std::uint16_t epoch) {
  if (epoch_) {
    past_epochs_.push_back(*epoch_);
  }
  if (past_epochs_.size() > kMaxPastEpochs) {
    past_epochs_.pop_front();
  }
  epoch_ = epoch;
  ++epochs_heard_;
  unconfirmed_.reset();
  forget_frames();
  modes_.clear();
}

void PeerView::forget_frames() {
  newest_.reset();
  newest_before_.reset();
  settled_.reset();
  tallies_.clear();
  last_closed_.reset();
}

/// Blocks can come after their frame was settled; they count.
void PeerView::count_blocks(const phy::FrameReception& frame) {
  FrameTally& tally = tally_of(frame.header.sequence);
  tally.mode = frame.header.mode;
  tally.blocks_ok += static_cast<int>(frame.blocks.size());
}

void PeerView::note_shares(const phy::ScreenReception& screen) {
  for (const phy::FrameShare& seen : screen.shares) {
    // A misread sync column must not push out frames that were shown.
    if (!newest_ || sequence_distance(*newest_, seen.sequence) > 1 ||
        sequence_distance(seen.sequence, *newest_) > static_cast<int>(kMaxFrameReports)) {
      continue;
    }
    FrameTally& tally = tally_of(seen.sequence);
    tally.best_share = std::max(tally.best_share, seen.share);
  }
}

PeerView::FrameTally& PeerView::tally_of(std::uint16_t sequence) {
  const auto it = std::ranges::find(tallies_, sequence, &FrameTally::sequence);
  if (it != tallies_.end()) {
    return *it;
  }
  if (tallies_.size() == kMaxTallies) {
    tallies_.pop_front();
  }
  FrameTally tally;
  tally.sequence = sequence;
  tally.settled = settled_ && sequence_distance(*settled_, sequence) <= 0;
  return tallies_.emplace_back(tally);
}

const PeerView::FrameTally* PeerView::find_tally(std::uint16_t sequence) const {
  const auto it = std::ranges::find(tallies_, sequence, &FrameTally::sequence);
  return it == tallies_.end() ? nullptr : &*it;
}

void PeerView::on_blocks_used(std::uint16_t sequence, int blocks_used) {
  tally_of(sequence).blocks_used = blocks_used;
}

void PeerView::on_screen(const phy::ScreenReception& screen, Duration period, Instant now) {
  if (!accepted_in_capture_) {
    return;
  }
  accepted_in_capture_ = false;
  if (unseen_for_long(now)) {
    good_captures_ = 0;
  }
  last_seen_ = now;
  if (colours_measured(screen.quality)) {
    quality_ = screen.quality;
    quality_mode_ = screen.frames.back().header.mode;
    if (!found_ && ++good_captures_ >= kCapturesToFind) {
      found_ = true;
      if (was_found_) {
        ++relocks_;
      }
      was_found_ = true;
    }
  }
  note_shares(screen);
  settle(period, now);
}

/// A frame can be spread over captures, and rows of its successor come first: it is done when the
/// successor has been seen in a second capture, or the one after that in a first.
void PeerView::settle(Duration period, Instant now) {
  const bool seen_before = newest_before_ == newest_;
  const auto done = static_cast<std::uint16_t>(*newest_ - (seen_before ? 1 : 2));
  newest_before_ = newest_;
  if (settled_ && sequence_distance(*settled_, done) <= 0) {
    return;
  }
  settled_ = done;
  for (FrameTally& tally : tallies_) {
    if (tally.settled || sequence_distance(tally.sequence, done) < 0) {
      continue;
    }
    tally.settled = true;
    if (tally.mode) {
      close(tally, period, now);
    }
  }
}

void PeerView::close(const FrameTally& tally, Duration period, Instant now) {
  // A change of mode costs receivers a frame, which says nothing of either mode.
  const bool mode_changed = last_closed_ && last_closed_ != tally.mode;
  last_closed_ = tally.mode;
  if (mode_changed) {
    return;
  }
  auto it = std::ranges::find(modes_, *tally.mode, &ModeTally::mode);
  if (it == modes_.end()) {
    it = modes_.insert(modes_.end(), {*tally.mode, 0, 0, now});
  }
  if (now - it->last > kModeMemoryCaptures * period) {
    *it = {*tally.mode, 0, 0, now};
  }
  // Of a frame whose status is lost: what frames of this mode bore on average.
  const double assumed = it->used > 0 ? (1 - kModeMemory) * it->used : kAssumedBlocks;
  const double used =
      std::max<double>(tally.blocks_used ? *tally.blocks_used : assumed, tally.blocks_ok);
  it->ok = kModeMemory * it->ok + tally.blocks_ok;
  it->used = kModeMemory * it->used + used;
  it->last = now;
  std::rotate(modes_.begin(), it, it + 1);
}

void PeerView::update(Instant now) {
  if (found_ && unseen_for_long(now)) {
    found_ = false;
    good_captures_ = 0;
  }
}

bool PeerView::unseen_for_long(Instant now) const {
  return last_seen_ && now - *last_seen_ > timeout_;
}

void PeerView::describe(AckPacket& ack) const {
  ack.epoch = epoch_.value_or(0);
  ack.settled = settled_;
  ack.quality_mode = quality_mode_;
  for (std::size_t i = 0; i < ack.snr.size(); ++i) {
    ack.snr[i] = to_fixed(quality_.snr_db[i] - kLeastSnrDb, 4);
  }
  ack.cell_px = to_fixed(quality_.cell_px, 8);
  ack.frames.clear();
  for (std::size_t age = 0; settled_ && age < kMaxFrameReports; ++age) {
    const FrameTally* tally = find_tally(static_cast<std::uint16_t>(*settled_ - age));
    FrameReport report;
    if (tally != nullptr) {
      report.blocks_ok = static_cast<std::uint16_t>(tally->blocks_ok);
      report.purity = tally->best_share > 0 ? purity_class(tally->best_share) : std::uint8_t{0};
    }
    ack.frames.push_back(report);
  }
}

unsigned PeerView::success_class(Instant now, Duration period) const {
  // A failing probe beside a mode that works is no failure.
  double success = 0;
  for (const ModeTally& tally : modes_) {
    if (now - tally.last > kLatestCaptures * period) {
      continue;
    }
    success = std::max(success, tally.ok / std::max(tally.used, 1.0));
  }
  if (success <= 0) {
    return 0;
  }
  return success < 0.5 ? 1 : success < 0.9 ? 2 : 3;
}

}  // namespace wccl::link
